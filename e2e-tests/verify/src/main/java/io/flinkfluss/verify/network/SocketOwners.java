package io.flinkfluss.verify.network;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the node that a local connection comes from, as Linux tells it: the connection's inode is
 * in {@code /proc/net/tcp}, its owner has it among {@code /proc/PID/fd}.
 */
public final class SocketOwners {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final int LOCAL_ADDRESS = 1;
    private static final int INODE = 9;

    private final Supplier<Map<String, Long>> processes;

    /**
     * @param processes node ids and their process ids, as they are now
     */
    public SocketOwners(Supplier<Map<String, Long>> processes) {
        this.processes = processes;
    }

    /** Whether this machine can tell. */
    public static boolean work() {
        return Files.isReadable(TABLES.get(0));
    }

    /** The node whose connection has this local port; empty when it is none of the nodes. */
    Optional<String> nodeOf(int port) {
        Optional<String> link = inode(port).map(inode -> "socket:[" + inode + "]");
        if (link.isEmpty()) {
            return Optional.empty();
        }
        for (Map.Entry<String, Long> process : processes.get().entrySet()) {
            if (holds(process.getValue(), link.get())) {
                return Optional.of(process.getKey());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> inode(int port) {
        String suffix = String.format(":%04X", port);
        for (Path table : TABLES) {
            try {
                for (String line : Files.readAllLines(table)) {
                    String[] fields = line.trim().split("\\s+");
                    if (fields.length > INODE
                            && fields[LOCAL_ADDRESS].endsWith(suffix)
                            && !fields[INODE].equals("0")) {
                        return Optional.of(fields[INODE]);
                    }
                }
            } catch (IOException e) {
                // A machine without this table.
                continue;
            }
        }
        return Optional.empty();
    }

    private static boolean holds(long pid, String socket) {
        try (DirectoryStream<Path> descriptors =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : descriptors) {
                if (linkOf(descriptor).equals(socket)) {
                    return true;
                }
            }
        } catch (IOException e) {
            // The process ended.
            return false;
        }
        return false;
    }

    private static String linkOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
