package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ScanTaskParser;

/** Read tasks as bytes: version, then compressed the number of tasks and each as Iceberg's JSON. */
final class SplitPayload {
    private static final int VERSION = 1;

    private SplitPayload() {}

    static byte[] encode(List<FileScanTask> tasks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(VERSION);
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            out.writeInt(tasks.size());
            for (FileScanTask task : tasks) {
                byte[] json = ScanTaskParser.toJson(task).getBytes(StandardCharsets.UTF_8);
                out.writeInt(json.length);
                out.write(json);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static List<FileScanTask> decode(byte[] payload) {
        ByteArrayInputStream bytes = new ByteArrayInputStream(payload);
        int version = bytes.read();
        if (version != VERSION) {
            throw new StorageException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "a lake split has version " + version + "; this version reads " + VERSION);
        }
        try (DataInputStream in = new DataInputStream(new GZIPInputStream(bytes))) {
            List<FileScanTask> tasks = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                String json = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                tasks.add(ScanTaskParser.fromJson(json, true));
            }
            return tasks;
        } catch (IOException e) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA, "a lake split cannot be read: " + e, e);
        }
    }
}
