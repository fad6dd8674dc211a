package io.flinkfluss.flink.tiering;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A source without rows, splits or state: its enumerator and readers do the tiering. */
final class TieringSource
        implements Source<String, TieringSource.None, TieringSource.None>,
                ResultTypeQueryable<String> {
    private static final long serialVersionUID = 1L;

    private final TieringOptions options;

    TieringSource(TieringOptions options) {
        this.options = options;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<String, None> createReader(SourceReaderContext context) {
        return new TieringReader(options, context);
    }

    @Override
    public SplitEnumerator<None, None> createEnumerator(SplitEnumeratorContext<None> context) {
        return new TieringEnumerator(options, context);
    }

    @Override
    public SplitEnumerator<None, None> restoreEnumerator(
            SplitEnumeratorContext<None> context, None state) {
        return createEnumerator(context);
    }

    @Override
    public SimpleVersionedSerializer<None> getSplitSerializer() {
        return new NoneSerializer();
    }

    @Override
    public SimpleVersionedSerializer<None> getEnumeratorCheckpointSerializer() {
        return new NoneSerializer();
    }

    @Override
    public TypeInformation<String> getProducedType() {
        return Types.STRING;
    }

    /** There are no splits, and there is no state: the lake is both. */
    record None() implements SourceSplit {
        @Override
        public String splitId() {
            return "none";
        }
    }

    private static final class NoneSerializer implements SimpleVersionedSerializer<None> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(None none) {
            return new byte[0];
        }

        @Override
        public None deserialize(int version, byte[] serialized) {
            return new None();
        }
    }
}
