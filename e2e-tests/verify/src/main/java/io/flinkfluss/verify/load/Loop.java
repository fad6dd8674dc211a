package io.flinkfluss.verify.load;

/** One step of a client, run again and again on a thread of its own. */
interface Loop extends AutoCloseable {
    /** Does one thing; the pause after it in milliseconds. */
    long step() throws Exception;

    /** Gives back what it holds; nothing is sent any more. */
    @Override
    void close();
}
