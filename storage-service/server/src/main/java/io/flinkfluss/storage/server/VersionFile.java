package io.flinkfluss.storage.server;

import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.membership.DirectoryState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The file VERSION of a data directory: lines {@code key=value}.
 *
 * @param level of the bytes that may be in the directory
 * @param shards which never change once the node is part of a cluster
 * @param directory the directory's own name; empty in directories of the first release
 * @param founders directories by node id, as they were when the cluster was founded
 */
record VersionFile(
        FormatLevel level,
        int shards,
        String directory,
        DirectoryState state,
        Map<String, String> founders) {
    private static final String FOUNDER = "founder.";

    VersionFile {
        founders = java.util.Collections.unmodifiableMap(new TreeMap<>(founders));
    }

    static VersionFile ofNewDirectory(int shards) {
        return new VersionFile(
                FormatLevel.FIRST,
                shards,
                UUID.randomUUID().toString(),
                DirectoryState.NEW,
                Map.of());
    }

    VersionFile at(FormatLevel newLevel) {
        return new VersionFile(newLevel, shards, directory, state, founders);
    }

    VersionFile with(DirectoryState newState, int newShards, Map<String, String> newFounders) {
        return new VersionFile(level, newShards, directory, newState, newFounders);
    }

    /**
     * @throws io.flinkfluss.storage.api.error.StorageException INCOMPATIBLE_VERSION
     */
    static VersionFile read(Path file) throws IOException {
        Properties known = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            known.load(reader);
        }
        FormatLevel level =
                FormatLevel.readable(
                        "the data directory " + file.getParent(),
                        number(known.getProperty("format")));
        Map<String, String> founders = new TreeMap<>();
        for (String key : known.stringPropertyNames()) {
            if (key.startsWith(FOUNDER)) {
                founders.put(key.substring(FOUNDER.length()), known.getProperty(key));
            }
        }
        return new VersionFile(
                level,
                Integer.parseInt(known.getProperty("shards")),
                known.getProperty("directory", ""),
                // The first release wrote no state: a directory was in use from the start.
                DirectoryState.valueOf(
                        known.getProperty("state", DirectoryState.IN_USE.toString())),
                founders);
    }

    private static int number(String format) {
        try {
            return Integer.parseInt(format);
        } catch (NumberFormatException unknown) {
            return -1;
        }
    }

    /** Whatever a power cut leaves, it is the old file or the new one. */
    void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("format=").append(level.number()).append("\nshards=").append(shards);
        text.append("\nstate=").append(state);
        if (!directory.isEmpty()) {
            text.append("\ndirectory=").append(directory);
        }
        founders.forEach(
                (node, founder) ->
                        text.append('\n')
                                .append(FOUNDER)
                                .append(node.replaceAll("([ :=\\\\])", "\\\\$1"))
                                .append('=')
                                .append(founder));
        Folders.replace(file, text.append('\n').toString());
    }
}
