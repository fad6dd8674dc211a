package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.table.TableId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Finds data and delete files that tiering of this very table wrote (their names begin with its
 * number) and that no snapshot reaches: left by writers that died. Files of others are never
 * touched.
 */
final class OrphanFiles {
    private final Table table;
    private final String prefix;

    OrphanFiles(Table table, TableId id) {
        this.table = table;
        this.prefix = id + "-";
    }

    /** Deletes those last changed before this time; returns how many. */
    int delete(long before) {
        if (!(table.io() instanceof SupportsPrefixOperations files)) {
            return 0;
        }
        Set<String> candidates = new HashSet<>();
        String folder = table.location() + "/data";
        try {
            for (FileInfo file : files.listPrefix(folder)) {
                if (file.createdAtMillis() < before && isOurs(file.location())) {
                    candidates.add(file.location());
                }
            }
        } catch (RuntimeException e) {
            if (isMissing(e)) {
                return 0;
            }
            throw e;
        }
        if (candidates.isEmpty()) {
            return 0;
        }
        // Listed before the snapshots are read: a file that is committed in between is reachable.
        table.refresh();
        Set<String> reachable = reachable();
        int deleted = 0;
        for (String candidate : candidates) {
            if (!reachable.contains(path(candidate))) {
                table.io().deleteFile(candidate);
                deleted++;
            }
        }
        return deleted;
    }

    private boolean isOurs(String location) {
        return location.substring(location.lastIndexOf('/') + 1).startsWith(prefix);
    }

    private static boolean isMissing(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof java.io.FileNotFoundException) {
                return true;
            }
        }
        return false;
    }

    private Set<String> reachable() {
        Set<String> reachable = new HashSet<>();
        Set<String> manifests = new HashSet<>();
        for (Snapshot snapshot : table.snapshots()) {
            for (ManifestFile manifest : snapshot.allManifests(table.io())) {
                if (manifests.add(manifest.path())) {
                    addFiles(manifest, reachable);
                }
            }
        }
        return reachable;
    }

    private void addFiles(ManifestFile manifest, Set<String> reachable) {
        try (ManifestReader<? extends ContentFile<?>> files =
                manifest.content() == ManifestContent.DATA
                        ? ManifestFiles.read(manifest, table.io(), table.specs())
                        : ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
            for (ContentFile<?> file : files) {
                reachable.add(path(file.location()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without scheme and authority, which a listing may spell differently. */
    private static String path(String location) {
        return new Path(location).toUri().getPath();
    }
}
