package io.flinkfluss.lake.iceberg;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.Map;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;

/**
 * Files that a writer made and the committer will publish. As bytes: version, number of files, then
 * each file in Iceberg's own JSON form with its length.
 */
record WrittenFiles(List<DataFile> data, List<DeleteFile> deletes) {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    WrittenFiles {
        data = List.copyOf(data);
        deletes = List.copyOf(deletes);
    }

    boolean isEmpty() {
        return data.isEmpty() && deletes.isEmpty();
    }

    byte[] encode(PartitionSpec spec) {
        if (isEmpty()) {
            return new byte[0];
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(data.size() + deletes.size());
            for (DataFile file : data) {
                write(out, ContentFileParser.toJson(file, spec));
            }
            for (DeleteFile file : deletes) {
                write(out, ContentFileParser.toJson(file, spec));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, String json) throws IOException {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
    }

    /** All files of these writers. */
    static WrittenFiles decode(List<byte[]> parts, Map<Integer, PartitionSpec> specs) {
        List<DataFile> data = new ArrayList<>();
        List<DeleteFile> deletes = new ArrayList<>();
        for (byte[] part : parts) {
            if (part.length == 0) {
                continue;
            }
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(part))) {
                int version = in.readByte();
                if (version != VERSION) {
                    throw new StorageException(
                            ErrorCode.INCOMPATIBLE_VERSION,
                            "written files have version "
                                    + version
                                    + "; this version reads "
                                    + VERSION);
                }
                for (int left = in.readInt(); left > 0; left--) {
                    ContentFile<?> file =
                            ContentFileParser.fromJson(
                                    JSON.readTree(in.readNBytes(in.readInt())), specs);
                    if (file instanceof DataFile dataFile) {
                        data.add(dataFile);
                    } else {
                        deletes.add((DeleteFile) file);
                    }
                }
            } catch (IOException e) {
                throw new StorageException(
                        ErrorCode.CORRUPT_DATA, "written files cannot be read: " + e, e);
            }
        }
        return new WrittenFiles(data, deletes);
    }
}
