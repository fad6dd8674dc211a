package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.Test;

class GroupRpcTest {
    private static final TermIndex FIRST = TermIndex.valueOf(4, 240);
    private static final TermIndex SECOND = TermIndex.valueOf(5, 241);

    @Test
    void aFollowerThatLacksDeletedEntriesIsToldOfTheFirst() {
        assertThat(GroupRpc.toName(FIRST, 200, false, index -> SECOND)).isEqualTo(FIRST);
    }

    @Test
    void aFollowerThatHasExactlyTheDeletedEntriesIsToldOfTheSecond() {
        assertThat(GroupRpc.toName(FIRST, 240, false, index -> SECOND)).isEqualTo(SECOND);
        assertThat(GroupRpc.toName(FIRST, 240, false, index -> null))
                .isEqualTo(TermIndex.valueOf(4, 241));
    }

    @Test
    void aFollowerThatTheLogBringsAlongIsToldNothing() {
        assertThat(GroupRpc.toName(null, 240, false, index -> SECOND)).isNull();
        assertThat(GroupRpc.toName(FIRST, 240, true, index -> SECOND)).isEqualTo(FIRST);
    }

    @Test
    void ratisMakesItByItsName() {
        assertThat(RpcType.valueOf(new GroupRpc().name())).isInstanceOf(GroupRpc.class);
    }
}
