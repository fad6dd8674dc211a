package io.flinkfluss.cli.quickstart;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Stopwatch;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What the storage service and the warehouse folder say about where rows are. */
final class Tiers {
    private static final String DATABASE = "fluss";

    private final StorageService service;
    private final Path warehouse;

    Tiers(StorageService service, Path warehouse) {
        this.service = service;
        this.warehouse = warehouse;
    }

    /**
     * One table's rows by tier. Of a primary-key table these are changelog rows.
     *
     * @param stored rows in the table's log since its creation
     * @param tiered rows of them that the registered lake snapshot contains
     * @param committedAtMillis when the newest registered lake snapshot was committed; 0 for none
     * @param lagMillis how much older the lake's newest row is than now; 0 when it has all rows
     */
    record State(long stored, long tiered, long rounds, long committedAtMillis, long lagMillis) {
        long hotOnly() {
            return stored - tiered;
        }
    }

    State of(String table) {
        TableInfo info = service.admin().table(new TablePath(DATABASE, table));
        Optional<LakeTiering> lake = service.lakeProgress().latest(info.id());
        long tiered =
                lake.map(l -> l.endOffsets().values().stream().mapToLong(Long::longValue).sum())
                        .orElse(0L);
        long stored =
                service
                        .logReader()
                        .offsets(info.buckets(), new OffsetSpec.Latest())
                        .values()
                        .stream()
                        .mapToLong(Long::longValue)
                        .sum();
        long lag =
                stored == tiered
                        ? 0
                        : Stopwatch.nowMillis()
                                - lake.map(LakeTiering::tieredUpToMillis)
                                        .orElse(info.createdAtMillis());
        return new State(
                stored,
                tiered,
                lake.map(LakeTiering::round).orElse(0L),
                lake.map(LakeTiering::committedAtMillis).orElse(0L),
                lag);
    }

    long stored(String table) {
        return of(table).stored();
    }

    /** Bytes of the table's files in the lake, metadata included. */
    long lakeBytes(String table) {
        return bytes(warehouse.resolve(DATABASE).resolve(table));
    }

    /** Bytes of all files below a folder; segments and snapshots may come and go meanwhile. */
    static long bytes(Path folder) {
        AtomicLong sum = new AtomicLong();
        try {
            Files.walkFileTree(
                    folder,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes facts) {
                            sum.addAndGet(facts.isRegularFile() ? facts.size() : 0);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException gone) {
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path visited, IOException gone) {
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new CliException("cannot read " + folder + ": " + e.getMessage(), e);
        }
        return sum.get();
    }
}
