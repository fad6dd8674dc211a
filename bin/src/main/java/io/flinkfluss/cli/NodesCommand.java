package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.text.Json;
import io.flinkfluss.cli.text.TextTable;
import io.flinkfluss.cli.text.Units;
import io.flinkfluss.storage.api.cluster.ClusterNode;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "nodes",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the nodes of the cluster, and adds, removes or replaces one while it runs.",
            "Each change can be repeated safely; repeating continues it."
        },
        subcommands = {
            NodesCommand.Add.class,
            NodesCommand.Remove.class,
            NodesCommand.Replace.class
        })
final class NodesCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private ClusterOptions cluster;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        cluster.run(
                admin -> {
                    List<ClusterNode> nodes = admin.nodes();
                    out.print(cluster.isJson() ? json(nodes) : text(nodes));
                });
        out.flush();
    }

    private static String text(List<ClusterNode> nodes) {
        TextTable table = TextTable.of("node", "address", "replicas", "leads", "writes/s", "state");
        for (ClusterNode node : nodes) {
            table.add(
                    node.address().id(),
                    node.address(),
                    node.replicas(),
                    node.leads(),
                    Units.bytes(node.writtenBytesPerSecond()),
                    node.isDraining() ? "drains" : "");
        }
        return table.render();
    }

    private static String json(List<ClusterNode> nodes) {
        StringBuilder lines = new StringBuilder();
        for (ClusterNode node : nodes) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("id", node.address().id());
            values.put("address", node.address().endpoint());
            values.put("raftPort", node.address().raftPort());
            values.put("replicas", node.replicas());
            values.put("leads", node.leads());
            values.put("writtenBytesPerSecond", node.writtenBytesPerSecond());
            values.put("draining", node.isDraining());
            lines.append(Json.write(values)).append('\n');
        }
        return lines.toString();
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Adds a node. Start it first, with an empty data directory and --peers that name"
                        + " nodes of the cluster and itself; it waits until it is added.",
                "It gets a vote in each group only after it has caught up with it."
            })
    static final class Add implements Runnable {
        @Spec private CommandSpec spec;
        @Mixin private ClusterOptions cluster;

        @Parameters(
                paramLabel = "ID@HOST:PORT:RAFTPORT",
                converter = AddressConverter.class,
                description = "As in the node's --peers.")
        private NodeAddress node;

        @Override
        public void run() {
            cluster.change(
                    spec.commandLine().getOut(), "adding node " + node, admin -> admin.add(node));
        }
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = {
                "Removes a node that runs or is lost; it hands over first what it leads.",
                "Refused when too few of the others are caught up."
            })
    static final class Remove implements Runnable {
        @Spec private CommandSpec spec;
        @Mixin private ClusterOptions cluster;

        @Parameters(paramLabel = "ID")
        private String node;

        @Override
        public void run() {
            cluster.change(
                    spec.commandLine().getOut(),
                    "removing node " + node,
                    admin -> admin.remove(node));
        }
    }

    @Command(
            name = "replace",
            mixinStandardHelpOptions = true,
            description = {
                "Removes a lost node and adds a new one in its place.",
                "Start the new one first, under an id of its own."
            })
    static final class Replace implements Runnable {
        @Spec private CommandSpec spec;
        @Mixin private ClusterOptions cluster;

        @Parameters(index = "0", paramLabel = "OLD-ID")
        private String old;

        @Parameters(
                index = "1",
                paramLabel = "ID@HOST:PORT:RAFTPORT",
                converter = AddressConverter.class)
        private NodeAddress node;

        @Override
        public void run() {
            PrintWriter out = spec.commandLine().getOut();
            if (old.equals(node.id())) {
                throw new CliException(
                        "a lost node and the one in its place need different ids; or run nodes"
                                + " remove "
                                + old
                                + ", start it with an empty data directory, and run nodes add "
                                + node);
            }
            cluster.run(
                    admin -> {
                        // Repeated after the first half, only the second is left to do.
                        if (admin.nodes().stream()
                                .anyMatch(each -> each.address().id().equals(old))) {
                            cluster.change(out, "removing node " + old, again -> again.remove(old));
                        }
                    });
            cluster.change(out, "adding node " + node, admin -> admin.add(node));
        }
    }

    /** The error of the parser, as one of the command line. */
    static final class AddressConverter implements ITypeConverter<NodeAddress> {
        @Override
        public NodeAddress convert(String text) {
            try {
                return NodeAddress.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }
}
