package io.flinkfluss.storage.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightBudgetTest {
    private final InFlightBudget budget = new InFlightBudget(100);
    private final List<String> told = new ArrayList<>();

    @Test
    void tellsEachWaitingStreamOnceWhenThereIsRoomAgain() {
        budget.take(120);

        assertThat(budget.hasRoom(() -> told.add("a"))).isFalse();
        assertThat(budget.hasRoom(() -> told.add("b"))).isFalse();
        budget.giveBack(10);
        assertThat(told).isEmpty();
        budget.giveBack(20);
        assertThat(told).containsExactly("a", "b");
        budget.giveBack(90);
        assertThat(told).containsExactly("a", "b");
        assertThat(budget.used()).isZero();
    }

    @Test
    void aListenerThatFillsItUpAgainDoesNotLoop() {
        budget.take(100);
        Runnable greedy =
                new Runnable() {
                    @Override
                    public void run() {
                        told.add("greedy");
                        budget.take(100);
                        budget.hasRoom(this);
                    }
                };

        assertThat(budget.hasRoom(greedy)).isFalse();
        budget.giveBack(100);

        assertThat(told).containsExactly("greedy");
    }
}
