package io.flinkfluss.verify.network;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the node that a local connection comes from, as Linux tells it: the connection's inode is
 * in {@code /proc/net/tcp}, its owner has it among {@code /proc/PID/fd}. Any thread may use it;
 * connections that come at the same time are found with one look.
 */
public final class SocketOwners {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String ESTABLISHED = "01";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String SOCKET = "socket:[";

    private final Supplier<Map<String, Long>> processes;
    private Map<Integer, String> nodesByPort = Map.of();
    private long lookedAt = Long.MIN_VALUE;

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

    /** The node whose open connection has this local port; empty when it is none of the nodes. */
    Optional<String> nodeOf(int port) {
        long asked = System.nanoTime();
        synchronized (this) {
            if (lookedAt == Long.MIN_VALUE || lookedAt - asked < 0) {
                lookedAt = System.nanoTime();
                nodesByPort = look();
            }
            return Optional.ofNullable(nodesByPort.get(port));
        }
    }

    private Map<Integer, String> look() {
        Map<String, Integer> portsByInode = new HashMap<>();
        for (Path table : TABLES) {
            try {
                for (String line : Files.readAllLines(table)) {
                    String[] fields = line.trim().split("\\s+");
                    if (fields.length > INODE && fields[STATE].equals(ESTABLISHED)) {
                        String local = fields[LOCAL_ADDRESS];
                        portsByInode.put(
                                fields[INODE],
                                Integer.parseInt(local.substring(local.indexOf(':') + 1), 16));
                    }
                }
            } catch (IOException e) {
                // A machine without this table.
                continue;
            }
        }
        Map<Integer, String> nodes = new HashMap<>();
        processes.get().forEach((node, pid) -> addPorts(node, pid, portsByInode, nodes));
        return nodes;
    }

    private static void addPorts(
            String node, long pid, Map<String, Integer> portsByInode, Map<Integer, String> nodes) {
        try (DirectoryStream<Path> descriptors =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : descriptors) {
                String link = linkOf(descriptor);
                if (link.startsWith(SOCKET)) {
                    Integer port =
                            portsByInode.get(link.substring(SOCKET.length(), link.length() - 1));
                    if (port != null) {
                        nodes.put(port, node);
                    }
                }
            }
        } catch (IOException e) {
            // The process ended.
            return;
        }
    }

    private static String linkOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
