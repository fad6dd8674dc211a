package io.flinkfluss.verify.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs of the machine, such as mount, to their end. */
final class Shell {
    private static final long PATIENCE_SECONDS = 60;

    private Shell() {}

    /**
     * Runs it and returns what it printed.
     *
     * @throws IllegalStateException when it fails, with what it printed
     */
    static String run(String... command) {
        Result result = attempt(command);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(
                    String.join(" ", command)
                            + " ended with "
                            + result.exitCode()
                            + ": "
                            + result.output());
        }
        return result.output();
    }

    static Result attempt(String... command) {
        try {
            Process process =
                    new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(-1, "not done within " + PATIENCE_SECONDS + " s");
            }
            return new Result(process.exitValue(), output.strip());
        } catch (IOException e) {
            return new Result(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }

    record Result(int exitCode, String output) {}
}
