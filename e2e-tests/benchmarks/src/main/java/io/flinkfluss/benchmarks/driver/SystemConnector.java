package io.flinkfluss.benchmarks.driver;

/** Opens a system's client. */
public interface SystemConnector {
    /**
     * One attempt.
     *
     * @throws Exception when not all servers serve yet; it is tried again
     */
    SystemClient connect(Servers servers) throws Exception;
}
