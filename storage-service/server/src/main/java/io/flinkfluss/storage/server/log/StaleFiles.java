package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.table.TableId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;

/**
 * Files of logs that the opened checkpoint does not know. Nobody sees them. They are not deleted at
 * the opening: replay mostly writes the same logs again, and making a folder and a file anew costs
 * a disk fifty times as much as writing over what is there. A log that begins takes its folder over
 * and leaves nothing of what was in it.
 */
final class StaleFiles {
    /** Not a number, so that it is no table's folder. */
    private static final String UNNEEDED = "unneeded";

    private StaleFiles() {}

    /**
     * Makes the folder of a log that begins.
     *
     * @param first the segment that will be written over; every other file is deleted
     */
    static void takeOver(Path folder, Path first) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            return;
        }
        for (Path file : Folders.list(folder)) {
            if (!file.equals(first)) {
                Files.delete(file);
            }
        }
    }

    /**
     * Moves tables that are not needed to where no log takes them over. On the thread that appends,
     * so that none begins meanwhile.
     */
    static void setAside(Path logs, Set<TableId> needed) throws IOException {
        Path unneeded = logs.resolve(UNNEEDED);
        for (Path table : Folders.list(logs)) {
            String name = table.getFileName().toString();
            if (LogFiles.isNumber(name) && !needed.contains(new TableId(Long.parseLong(name)))) {
                Files.createDirectories(unneeded);
                Files.move(table, free(unneeded, name), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /** Another one may be there since before a kill. */
    private static Path free(Path unneeded, String name) {
        Path place = unneeded.resolve(name);
        for (int i = 2; Files.exists(place); i++) {
            place = unneeded.resolve(name + "." + i);
        }
        return place;
    }

    /** Deletes what was set aside. Any thread. */
    static void deleteSetAside(Path logs) throws IOException {
        for (Path table : Folders.list(logs.resolve(UNNEEDED))) {
            Folders.deleteTree(table);
        }
    }
}
