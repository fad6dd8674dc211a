package io.flinkfluss.verify.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RegisterTest {
    private final Findings findings = new Findings();
    private final Register register = new Register(5, "kv", new AtomicLong());

    @Test
    void aStaleLookupIsFoundWithItsHistory() {
        write(11);
        write(12);
        read(11);

        assertThat(register.check(findings)).isEqualTo(3);
        assertThat(findings.count(Violation.STALE)).isEqualTo(1);
        assertThat(findings.examples().get(0)).contains("kv key 5").contains("read of");
    }

    @Test
    void aLookupMaySeeAWriteThatWasNotAnswered() {
        write(11);
        register.begin();
        register.mayHaveWritten(12, register.invoke());
        read(12);

        register.check(findings);
        assertThat(findings.total()).isZero();
    }

    @Test
    void takesNoMoreWhenFullAndIsCompleteWhenAllAnswered() {
        assertThat(register.begin()).isTrue();
        long open = register.invoke();
        int begun = 1;
        while (register.begin()) {
            register.read(0, register.invoke());
            begun++;
        }
        assertThat(begun).isBetween(100, 1_000);
        assertThat(register.isComplete()).isFalse();

        register.wrote(3, open);
        assertThat(register.isComplete()).isTrue();
        assertThat(register.check(findings)).isEqualTo(begun);
        assertThat(findings.total()).isZero();
    }

    private void write(long value) {
        assertThat(register.begin()).isTrue();
        register.wrote(value, register.invoke());
    }

    private void read(long value) {
        assertThat(register.begin()).isTrue();
        register.read(value, register.invoke());
    }
}
