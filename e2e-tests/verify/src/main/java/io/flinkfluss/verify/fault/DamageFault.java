package io.flinkfluss.verify.fault;

import io.flinkfluss.verify.check.Violation;
import io.flinkfluss.verify.cluster.Node;
import io.flinkfluss.verify.load.ClientErrors.Damage;
import java.time.Duration;
import java.util.Optional;

/**
 * A byte flips on the disk of a node that is down. The promise: the node names the damage, when it
 * starts or when somebody reads there, and never serves what is damaged. Then its data is thrown
 * away and it catches up from the others; alone, it gets the byte back.
 */
final class DamageFault {
    private static final Duration START = Duration.ofSeconds(45);

    private final Environment environment;
    private final Keeper keeper;

    DamageFault(Environment environment, Keeper keeper) {
        this.environment = environment;
        this.keeper = keeper;
    }

    /** Does all of it but waiting for the node to be well; tells what was seen. */
    String run(PlannedFault fault, Node target) throws InterruptedException {
        target.kill();
        var data = target.disk().dataDirectory();
        Optional<FileDamage.Flip> flip =
                fault.kind() == FaultKind.FLIPPED_LOG
                        ? FileDamage.flipInLog(data, fault)
                        : FileDamage.flipInState(data, fault);
        if (flip.isEmpty()) {
            target.start();
            return "no file to damage yet";
        }
        environment.errors().expectDamage(Damage.PRESENT);
        try {
            keeper.hold(fault.lasting());
            return flip.get() + ": " + observe(target, flip.get());
        } finally {
            target.kill();
            if (environment.cluster().nodes().size() > 1) {
                new Replacement(environment.cluster(), keeper).run(target);
            } else {
                flip.get().undo();
                target.start();
            }
            environment.errors().expectDamage(Damage.NONE);
        }
    }

    private String observe(Node target, FileDamage.Flip flip) throws InterruptedException {
        long logBefore = target.logSize();
        keeper.mayEnd(target);
        target.start();
        if (target.awaitReady(START)) {
            String served = environment.damagedReplica().read(target);
            return namedSince(target, flip, logBefore) ? "named the file; " + served : served;
        }
        if (target.isAlive()) {
            return "not ready within " + START.toSeconds() + " s";
        }
        if (!namedSince(target, flip, logBefore)) {
            environment
                    .findings()
                    .add(
                            Violation.UNEXPECTED,
                            target
                                    + " did not start with a flipped byte in "
                                    + flip.file()
                                    + ", but did not name the file:\n"
                                    + target.logTail());
        }
        return "refused to start and named the file";
    }

    private static boolean namedSince(Node target, FileDamage.Flip flip, long logBefore) {
        return target.logContains(flip.file().getFileName().toString(), logBefore);
    }
}
