package io.flinkfluss.cli.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The promises that the story is held to. A broken one does not end the story, but its exit. */
final class Checks {
    private final Console console;
    private final List<String> broken = new ArrayList<>();
    private int count;

    Checks(Console console) {
        this.console = console;
    }

    void equal(String name, Object expected, Object actual) {
        verify(
                name,
                Objects.equals(expected, actual),
                "expected " + expected + ", found " + actual);
    }

    void verify(String name, boolean holds, String found) {
        count++;
        console.line((holds ? "  [ok] " : "  [BROKEN] ") + name + (holds ? "" : ": " + found));
        if (!holds) {
            broken.add(name + ": " + found);
        }
    }

    int count() {
        return count;
    }

    List<String> broken() {
        return List.copyOf(broken);
    }
}
