package io.flinkfluss.flink.tiering.commit;

import io.flinkfluss.lake.LakeSnapshot;

/**
 * A round that is in the lake.
 *
 * @param registered whether the storage service was told; otherwise it has to be at the next plan
 */
public record CommittedRound(LakeSnapshot snapshot, boolean registered) {}
