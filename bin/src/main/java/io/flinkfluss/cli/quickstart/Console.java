package io.flinkfluss.cli.quickstart;

import io.flinkfluss.cli.text.TextTable;
import java.io.PrintWriter;

/** What the person at the terminal sees. Each call appears at once. */
final class Console {
    private final PrintWriter out;

    Console(PrintWriter out) {
        this.out = out;
    }

    void heading(String text) {
        line("");
        line("== " + text + " " + "=".repeat(Math.max(0, 90 - text.length())));
    }

    void line(String text) {
        out.println(text);
        out.flush();
    }

    void statement(String sql) {
        line("");
        line("Flink SQL> " + sql.strip().replace("\n", "\n           ") + ";");
    }

    void table(TextTable table) {
        out.print(table.render());
        out.flush();
    }
}
