package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The few questions the command asks of Flink's web interface. */
public final class FlinkRest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final String address;

    public FlinkRest(int webPort) {
        this.address = "http://localhost:" + webPort;
    }

    /** Free and used slots are there: the cluster can run jobs. */
    public boolean hasSlots() {
        return get("/overview")
                .flatMap(body -> field(body, "slots-total"))
                .map(slots -> Integer.parseInt(slots) > 0)
                .orElse(false);
    }

    public Optional<String> overview() {
        return get("/overview")
                .map(
                        body ->
                                field(body, "jobs-running").orElse("?")
                                        + " jobs running, "
                                        + field(body, "slots-available").orElse("?")
                                        + " of "
                                        + field(body, "slots-total").orElse("?")
                                        + " slots free");
    }

    /** Like RUNNING; empty when the cluster does not know the job or does not answer. */
    public Optional<String> jobState(String jobId) {
        return get("/jobs/" + jobId + "/status").flatMap(body -> field(body, "status"));
    }

    /** The root cause of the job's newest failure, shortened to its first lines. */
    public Optional<String> jobFailure(String jobId) {
        return get("/jobs/" + jobId + "/exceptions?maxExceptions=1")
                .flatMap(body -> field(body, "stacktrace"))
                .map(trace -> trace.replace("\\n\\tat ", "\n    at ").replace("\\n", "\n"));
    }

    /** Asks the cluster to cancel the job; it ends a little later. */
    public void cancel(String jobId) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address + "/jobs/" + jobId + "?mode=cancel"))
                        .timeout(TIMEOUT)
                        .method("PATCH", HttpRequest.BodyPublishers.noBody())
                        .build();
        if (send(request).isEmpty()) {
            throw new CliException("Flink at " + address + " cannot cancel " + jobId);
        }
    }

    private Optional<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(address + path)).timeout(TIMEOUT).build());
    }

    private Optional<String> send(HttpRequest request) {
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() / 100 == 2
                    ? Optional.of(response.body())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted while asking " + address, e);
        }
    }

    private static Optional<String> field(String json, String name) {
        Matcher matcher =
                Pattern.compile("\"" + name + "\"\\s*:\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|(\\d+))")
                        .matcher(json);
        return matcher.find()
                ? Optional.of(matcher.group(1) != null ? matcher.group(1) : matcher.group(2))
                : Optional.empty();
    }
}
