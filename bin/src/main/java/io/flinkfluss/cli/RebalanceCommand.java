package io.flinkfluss.cli;

import io.flinkfluss.storage.api.ClusterAdmin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "rebalance",
        mixinStandardHelpOptions = true,
        description = {
            "Moves leaders so that all nodes have about the same load of writes.",
            "Nodes keep the numbers of leaders even by themselves; this looks at bytes written"
                    + " lately."
        })
final class RebalanceCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private ClusterOptions cluster;

    @Override
    public void run() {
        cluster.change(spec.commandLine().getOut(), "rebalancing leaders", ClusterAdmin::rebalance);
    }
}
