package io.flinkfluss.cli;

import io.flinkfluss.cli.quickstart.Quickstart;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        description = {
            "Tells the whole story on real flights, with real processes on this machine: catalog,"
                    + " tables, streaming load, lookup join, tiering to Iceberg, union read,"
                    + " changelog.",
            "Prints each statement and its result, and stops everything at the end.",
            "Exit status 0 only if every check held. It uses quickstart in the state directory"
                    + " (emptied first) and other ports when the usual ones are busy."
        })
final class QuickstartCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private StateOption state;

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description =
                    "The original flights-3m.parquet (3,000,000 rows) of the npm package"
                            + " vega-datasets 3.2.1, instead of the sample of 150,000 rows.")
    private Path data;

    @Option(names = "--keep", description = "Leaves storage service and Flink running at the end.")
    private boolean keep;

    @Override
    public Integer call() {
        Quickstart quickstart =
                new Quickstart(
                        state.open().nested("quickstart"), data, spec.commandLine().getOut());
        return quickstart.run(keep ? Quickstart.Ending.KEEP : Quickstart.Ending.STOP).isEmpty()
                ? 0
                : 1;
    }
}
