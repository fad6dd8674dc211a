package io.flinkfluss.storage.api.record;

import java.util.Arrays;

/**
 * A stored row.
 *
 * @param schemaId schema it was written with
 * @param bytes {@link RowCodec} form
 */
public record EncodedRow(int schemaId, byte[] bytes) {
    @Override
    public boolean equals(Object other) {
        return other instanceof EncodedRow that
                && schemaId == that.schemaId
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * schemaId + Arrays.hashCode(bytes);
    }
}
