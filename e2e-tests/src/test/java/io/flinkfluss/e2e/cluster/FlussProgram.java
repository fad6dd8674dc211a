package io.flinkfluss.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bin/fluss} as a user types it, of the distribution that the build has made.
 *
 * @param folder where its output goes, and what it keeps about services
 * @param patience it has to end by then
 */
public record FlussProgram(Path folder, Duration patience) {
    private static final Path FLUSS = Path.of("..", "bin", "fluss");
    private static final Duration LAST_WORDS = Duration.ofSeconds(60);

    /** How it ended, and what it printed, errors included. */
    public record Outcome(int exit, String output) {
        public String lastLine() {
            return output.strip().lines().reduce((first, second) -> second).orElse("");
        }
    }

    /** Runs it to its end. One that does not end is told to, and is an error with its output. */
    public Outcome run(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(FLUSS.toAbsolutePath().normalize().toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("FLUSS_NO_BUILD", "1");
        builder.environment().put("FLUSS_STATE_DIR", folder.resolve("state").toString());
        Process process = builder.start();
        if (!StorageProcess.await(process, patience)) {
            process.destroy();
            boolean ended = StorageProcess.await(process, LAST_WORDS);
            throw new AssertionError(
                    "bin/fluss "
                            + String.join(" ", arguments)
                            + " did not end within "
                            + patience
                            + (ended ? "" : ", nor when it was told to")
                            + "; it printed:\n"
                            + Files.readString(output));
        }
        return new Outcome(process.exitValue(), Files.readString(output));
    }
}
