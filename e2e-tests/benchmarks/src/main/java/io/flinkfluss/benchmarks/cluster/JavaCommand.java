package io.flinkfluss.benchmarks.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM: the one that runs this. */
final class JavaCommand {
    private final List<String> words = new ArrayList<>();

    /**
     * @param heap the most it may take, as {@code -Xmx} takes it
     */
    JavaCommand(String heap, List<String> flags, Path logging) {
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add("-Xmx" + heap);
        words.addAll(flags);
        words.add("-Dlog4j2.configurationFile=" + logging);
    }

    List<String> run(String classPath, String main, List<String> arguments) {
        List<String> command = new ArrayList<>(words);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        return command;
    }
}
