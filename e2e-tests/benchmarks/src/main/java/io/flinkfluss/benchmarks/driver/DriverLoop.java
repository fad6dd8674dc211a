package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Meter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * The loop of a driver's process: takes a {@link Message} a line, has it performed, and answers
 * with any number of messages and then {@code done} or {@code failed}. Ends with its input, and
 * ends the servers too.
 */
public final class DriverLoop {
    /** Begins each answer; other lines on standard output are what the JVM itself has to say. */
    public static final String ANSWER = "answer: ";

    /** Marks the fields of a connect message that are options of the client. */
    public static final String OPTION_PREFIX = "option.";

    private static final String SERVERS = "servers";

    private final Performer performer;
    private final PrintStream output;
    private List<Long> processes = List.of();

    /** Does what messages ask for. */
    @FunctionalInterface
    public interface Performer {
        /**
         * @param answers takes what the harness is told before the work is done
         */
        void perform(Message request, Consumer<Message> answers) throws Exception;
    }

    DriverLoop(Performer performer, PrintStream output) {
        this.performer = performer;
        this.output = output;
    }

    /** Runs until the input ends; then ends the process, whatever threads a client left behind. */
    public static void main(Performer performer) {
        PrintStream output = System.out;
        // A client's library may print; only answers go to the harness.
        System.setOut(System.err);
        // Starting the logging loads hundreds of classes; it is the driver's own, in all alike.
        LoggerFactory.getLogger(DriverLoop.class).debug("started");
        int status = 0;
        try {
            new DriverLoop(performer, output).serve(System.in);
        } catch (Throwable e) {
            // A client's threads would keep a process alive that answers nobody any more.
            e.printStackTrace();
            status = 1;
        }
        System.exit(status);
    }

    void serve(InputStream requests) throws IOException {
        answer(Message.of("ready"));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                Message request = Message.parse(line);
                if (request.fields().containsKey(SERVERS)) {
                    processes = servers(request);
                }
                performer.perform(request, this::answer);
                answer(Message.of("done"));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Exception e) {
                e.printStackTrace(System.err);
                answer(Message.of("failed").with("reason", e));
            }
        }
        // The harness kills drivers before it ends; it is gone and cannot end the servers.
        for (long server : processes) {
            ProcessHandle.of(server).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Options of the client that a connect message brings, by the system's own names. */
    public static Map<String, String> options(Message connect) {
        Map<String, String> options = new LinkedHashMap<>();
        connect.fields()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(OPTION_PREFIX)) {
                                options.put(key.substring(OPTION_PREFIX.length()), value);
                            }
                        });
        return options;
    }

    /** The processes and folders that a request names. */
    public static Meter.Surroundings surroundings(Message request) {
        return new Meter.Surroundings(
                servers(request), request.list("folders").stream().map(Path::of).toList());
    }

    private static List<Long> servers(Message request) {
        return request.list(SERVERS).stream().map(Long::valueOf).toList();
    }

    private void answer(Message message) {
        output.println(ANSWER + message.line());
        output.flush();
    }
}
