package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;

/** Runs a proposer without its thread. */
public final class ProposerSteps {
    private ProposerSteps() {}

    /** Submits one entry; something must wait and there must be room. */
    public static void submitNext(Proposer<?, ?> proposer) {
        try {
            proposer.submitNext();
        } catch (InterruptedException e) {
            throw new StorageException(ErrorCode.CLOSED, "interrupted", e);
        }
    }
}
