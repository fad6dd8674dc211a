package io.flinkfluss.storage.server.replication;

import java.util.concurrent.TimeUnit;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.impl.RatisMetricRegistryImpl;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.server.metrics.RaftLogMetricsBase;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.apache.ratis.thirdparty.com.codahale.metrics.Snapshot;
import org.apache.ratis.thirdparty.com.codahale.metrics.Timer;

/**
 * How long the fsyncs of a replicated log take, over the last minutes.
 *
 * @param count since the start
 */
public record LogFlushes(long count, double medianMillis, double p99Millis, double longestMillis) {
    private static final LogFlushes NONE = new LogFlushes(0, 0, 0, 0);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** As Ratis measured them. */
    static LogFlushes of(RaftGroupMemberId member) {
        for (RatisMetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
            if (isLogOf(registry, member)
                    && registry instanceof RatisMetricRegistryImpl measured
                    && measured.get(SegmentedRaftLogMetrics.RAFT_LOG_SYNC_TIME)
                            instanceof Timer fsyncs) {
                Snapshot recent = fsyncs.getSnapshot();
                return new LogFlushes(
                        fsyncs.getCount(),
                        recent.getMedian() / NANOS_PER_MILLI,
                        recent.get99thPercentile() / NANOS_PER_MILLI,
                        recent.getMax() / NANOS_PER_MILLI);
            }
        }
        return NONE;
    }

    private static boolean isLogOf(RatisMetricRegistry registry, RaftGroupMemberId member) {
        return registry.getMetricRegistryInfo().getPrefix().equals(member.toString())
                && registry.getMetricRegistryInfo()
                        .getMetricsComponentName()
                        .equals(RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS);
    }
}
