package io.flinkfluss.storage.api.cluster;

/**
 * How far a change of the nodes is. Asking for the same change again continues it, or tells that it
 * is done, whatever happened to the node that worked on it.
 *
 * @param done steps, of {@code total}
 * @param detail what happens now, or what was done, for people
 */
public record NodeChange(State state, int done, int total, String detail) {
    /** What to do next. */
    public enum State {
        /** Ask again. */
        RUNNING,
        /** Nothing is left to do. */
        DONE
    }

    public boolean isDone() {
        return state == State.DONE;
    }

    public static NodeChange running(int done, int total, String detail) {
        return new NodeChange(State.RUNNING, done, total, detail);
    }

    public static NodeChange done(int total, String detail) {
        return new NodeChange(State.DONE, total, total, detail);
    }
}
