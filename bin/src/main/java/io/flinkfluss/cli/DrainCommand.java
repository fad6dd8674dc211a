package io.flinkfluss.cli;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.NodeChange;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        description = {
            "Lets a node hand over all that it leads, so that it can be stopped without a gap.",
            "It leads again after its next start, or with --undo."
        })
final class DrainCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private ClusterOptions cluster;

    @Parameters(paramLabel = "ID")
    private String node;

    @Option(names = "--undo", description = "Let the node lead again.")
    private boolean undo;

    @Override
    public void run() {
        Function<ClusterAdmin, NodeChange> call =
                undo ? admin -> admin.endDrain(node) : admin -> admin.drain(node);
        cluster.change(
                spec.commandLine().getOut(),
                (undo ? "ending the drain of node " : "draining node ") + node,
                call);
    }
}
