package io.flinkfluss.flink.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.LogicalType;
import org.junit.jupiter.api.Test;

class FlinkTypesTest {
    private static final List<DataType> TYPES =
            List.of(
                    DataType.of(TypeRoot.BOOLEAN),
                    DataType.of(TypeRoot.TINYINT),
                    DataType.of(TypeRoot.SMALLINT),
                    DataType.of(TypeRoot.INT),
                    DataType.of(TypeRoot.BIGINT),
                    DataType.of(TypeRoot.FLOAT),
                    DataType.of(TypeRoot.DOUBLE),
                    DataType.of(TypeRoot.CHAR, 7),
                    DataType.of(TypeRoot.STRING),
                    DataType.of(TypeRoot.BINARY, 5),
                    DataType.of(TypeRoot.BYTES),
                    DataType.decimal(10, 2),
                    DataType.decimal(38, 18),
                    DataType.of(TypeRoot.DATE),
                    DataType.of(TypeRoot.TIME, 0),
                    DataType.of(TypeRoot.TIME, 3),
                    DataType.of(TypeRoot.TIMESTAMP, 0),
                    DataType.of(TypeRoot.TIMESTAMP, 9),
                    DataType.of(TypeRoot.TIMESTAMP_LTZ, 3),
                    DataType.of(TypeRoot.TIMESTAMP_LTZ, 9));

    @Test
    void everyTypeComesBackAsItself() {
        for (DataType type : TYPES) {
            assertThat(FlinkTypes.toStorage(FlinkTypes.toFlink(type))).isEqualTo(type);
            DataType notNull = type.notNull();
            assertThat(FlinkTypes.toStorage(FlinkTypes.toFlink(notNull))).isEqualTo(notNull);
        }
    }

    @Test
    void everyKindOfTypeIsTested() {
        assertThat(TYPES.stream().map(DataType::root).distinct())
                .containsExactly(TypeRoot.values());
    }

    @Test
    void whatCannotBeHeldIsRefusedByColumnAndTypeName() {
        assertRefused(DataTypes.VARCHAR(10).getLogicalType(), "VARCHAR(10)", "use STRING");
        assertRefused(DataTypes.VARBINARY(10).getLogicalType(), "VARBINARY(10)", "use BYTES");
        assertRefused(
                DataTypes.MULTISET(DataTypes.INT()).getLogicalType(), "MULTISET<INT>", "BIGINT");
        assertRefused(DataTypes.INTERVAL(DataTypes.DAY()).getLogicalType(), "INTERVAL DAY", "DATE");
    }

    private static void assertRefused(LogicalType type, String name, String allowed) {
        assertThatThrownBy(() -> FlinkTypes.toStorage("price", type))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("column price")
                .hasMessageContaining(name)
                .hasMessageContaining(allowed);
    }
}
