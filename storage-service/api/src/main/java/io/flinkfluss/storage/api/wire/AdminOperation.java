package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.StorageService;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Everything that is not a stream: each operation is one DoAction type, answered by one {@link
 * Result}. An operation writes and reads its own bytes, and runs itself on the service's roles, so
 * a new one is one record in {@link CatalogOperation}, {@link ClusterOperation} or {@link
 * NodeOperation} and one line in {@code AdminOperations}.
 *
 * @param <A> what it answers; Void when only success matters
 */
public sealed interface AdminOperation<A>
        permits CatalogOperation, ClusterOperation, NodeOperation {
    /** The DoAction type: {@code fluss.} and a name that never changes. */
    default String action() {
        return AdminOperations.actionOf(getClass());
    }

    /** Writes the request without its version. */
    void write(WireOutput output);

    /** Writes what {@link #execute} gave, without its version. */
    void writeAnswer(WireOutput output, A answer);

    A readAnswer(WireInput input);

    /**
     * Runs on the server: blocks, throws {@link io.flinkfluss.storage.api.error.StorageException}.
     *
     * @param cluster the node's current view
     */
    A execute(StorageService service, Supplier<ClusterView> cluster);

    /** Whether sending it again after an unknown outcome gives the same answer and effect. */
    boolean isRepeatable();

    default Action toAction() {
        WireOutput output = new WireOutput();
        output.writeVersion(AdminOperations.REQUEST);
        write(output);
        return new Action(action(), output.toByteBuffer());
    }

    /**
     * The operation of a received action. @throws io.flinkfluss.storage.api.error.StorageException
     * UNSUPPORTED for an unknown type, INCOMPATIBLE_VERSION, CORRUPT_DATA
     */
    static AdminOperation<?> of(Action action) {
        return AdminOperations.decode(action);
    }

    /** What {@link Result#body} carries. */
    default byte[] encodeAnswer(A answer) {
        WireOutput output = new WireOutput();
        output.writeVersion(AdminOperations.ANSWER);
        writeAnswer(output, answer);
        return output.toByteArray();
    }

    default A decodeAnswer(ByteBuffer body) {
        WireInput input = new WireInput(body);
        input.readVersion(AdminOperations.ANSWER);
        return readAnswer(input);
    }

    /** {@link #execute} and {@link #encodeAnswer} in one. */
    default byte[] executeAndEncode(StorageService service, Supplier<ClusterView> cluster) {
        return encodeAnswer(execute(service, cluster));
    }
}
