package io.flinkfluss.verify.fault;

import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.cluster.Cluster;
import io.flinkfluss.verify.load.Acknowledgements;
import io.flinkfluss.verify.load.ClientErrors;
import io.flinkfluss.verify.network.Network;
import java.util.function.LongSupplier;

/**
 * What faults are done to, and what they are measured by.
 *
 * @param nanos a clock that never goes back
 */
public record Environment(
        Cluster cluster,
        Network network,
        Leaders leaders,
        Acknowledgements acknowledgements,
        ClientErrors errors,
        Findings findings,
        DamagedReplica damagedReplica,
        LongSupplier nanos) {}
