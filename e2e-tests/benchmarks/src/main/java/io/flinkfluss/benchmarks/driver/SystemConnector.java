package io.flinkfluss.benchmarks.driver;

import java.util.Map;

/** Opens a system's client. */
public interface SystemConnector {
    /**
     * One attempt.
     *
     * @param address where clients of this system begin
     * @param options of the client, by the system's own names
     * @throws Exception when the servers do not serve yet; it is tried again
     */
    SystemClient connect(String address, Map<String, String> options) throws Exception;
}
