package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.server.log.BucketLog;
import io.flinkfluss.storage.server.log.RemoteSegment;
import java.util.Optional;

/** Applies the commands of retention and of copying. */
final class LogCommands {
    private static final ShardAnswer DONE = new ShardAnswer.Done();

    private LogCommands() {}

    static ShardAnswer roll(ShardBuckets buckets, ShardCommand.RollLog roll) {
        Optional<BucketLog> log = buckets.find(roll.bucket()).map(BucketState::log);
        log.ifPresent(found -> found.roll(roll.endOffset()));
        log.ifPresent(found -> buckets.grew(roll.bucket()));
        return DONE;
    }

    static ShardAnswer trim(ShardBuckets buckets, ShardCommand.TrimLog trim) {
        Optional<BucketLog> log = buckets.find(trim.bucket()).map(BucketState::log);
        log.ifPresent(found -> found.trim(trim.startOffset(), trim.localStart()));
        log.ifPresent(found -> buckets.grew(trim.bucket()));
        return DONE;
    }

    static ShardAnswer addRemote(ShardBuckets buckets, ShardCommand.AddRemoteSegment add) {
        RemoteSegment segment = add.segment();
        boolean added =
                buckets.find(add.bucket())
                        .filter(bucket -> bucket.log().addRemote(segment))
                        .isPresent();
        if (!added) {
            return new ShardAnswer.Refused(
                    ErrorCode.INVALID_REQUEST,
                    "the remote segment "
                            + segment.name()
                            + " does not follow those that bucket "
                            + add.bucket()
                            + " has, or holds rows that exist no more; it is not needed");
        }
        buckets.grew(add.bucket());
        return DONE;
    }
}
