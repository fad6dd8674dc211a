package io.flinkfluss.storage.server;

import io.flinkfluss.storage.server.replication.CommandCodec;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardAnswers;
import io.flinkfluss.storage.server.shard.ShardCommand;
import io.flinkfluss.storage.server.shard.ShardCommands;
import java.nio.ByteBuffer;
import java.util.List;

/** The bytes of shard commands, as a proposer wants them. */
final class ShardCodec implements CommandCodec<ShardCommand, ShardAnswer> {
    @Override
    public ByteBuffer encode(List<ShardCommand> commands) {
        return ShardCommands.encode(commands);
    }

    @Override
    public List<ShardAnswer> decode(byte[] answers) {
        return ShardAnswers.decode(ByteBuffer.wrap(answers));
    }
}
