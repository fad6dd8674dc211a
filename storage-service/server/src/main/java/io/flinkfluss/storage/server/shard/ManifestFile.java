package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.kv.KvStores;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** The manifest in a checkpoint's folder, beside the copy of the key-value state it describes. */
final class ManifestFile {
    static final String NAME = "manifest";
    static final String KV = "kv";
    private static final int MAGIC = 0x464C434B;
    private static final int HEAD = 12;

    private ManifestFile() {}

    static void write(Path checkpoint, Manifest manifest) throws IOException {
        ByteBuffer payload = manifest.encode();
        ByteBuffer file = ByteBuffer.allocate(HEAD + payload.remaining());
        file.putInt(MAGIC).putInt(payload.remaining()).putInt((int) checksum(payload));
        Files.write(checkpoint.resolve(NAME), file.put(payload.duplicate()).array());
    }

    /**
     * @throws StorageException CORRUPT_DATA, INCOMPATIBLE_VERSION
     */
    static Manifest read(Path checkpoint) throws IOException {
        Path file = checkpoint.resolve(NAME);
        ByteBuffer bytes = Files.exists(file) ? ByteBuffer.wrap(Files.readAllBytes(file)) : null;
        if (bytes == null
                || bytes.remaining() < HEAD
                || bytes.getInt() != MAGIC
                || bytes.getInt() != bytes.remaining() - 4
                || bytes.getInt() != (int) checksum(bytes)) {
            throw damaged(file, "its length or checksum is wrong");
        }
        return Manifest.decode(bytes.slice());
    }

    /**
     * Reads the manifest and looks whether the files it names are there. Data files are not read:
     * their blocks have checksums of their own.
     *
     * @throws StorageException CORRUPT_DATA, INCOMPATIBLE_VERSION
     */
    static Manifest verify(Path checkpoint) throws IOException {
        Manifest manifest = read(checkpoint);
        for (Manifest.KvFile expected : manifest.files()) {
            Path kvFile = checkpoint.resolve(KV).resolve(expected.name());
            if (!Files.exists(kvFile) || Files.size(kvFile) != expected.length()) {
                throw damaged(kvFile, "it is missing or its length is not " + expected.length());
            }
            if (expected.checksum() >= 0
                    && checksum(ByteBuffer.wrap(Files.readAllBytes(kvFile)))
                            != expected.checksum()) {
                throw damaged(kvFile, "its checksum is wrong");
            }
        }
        return manifest;
    }

    static List<Manifest.KvFile> describe(Path kv) throws IOException {
        List<Manifest.KvFile> files = new ArrayList<>();
        for (Path file : Folders.list(kv)) {
            String name = file.getFileName().toString();
            // Only for people: a store opens without it.
            if (name.startsWith("OPTIONS")) {
                continue;
            }
            boolean checksItself = name.endsWith(KvStores.DATA_FILE);
            long checksum = checksItself ? -1 : checksum(ByteBuffer.wrap(Files.readAllBytes(file)));
            files.add(new Manifest.KvFile(name, Files.size(file), checksum));
        }
        return files;
    }

    private static long checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        return checksum.getValue();
    }

    private static StorageException damaged(Path file, String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "the checkpoint file "
                        + file
                        + " is damaged: "
                        + found
                        + ". If no older checkpoint is usable, restore this node's data from a"
                        + " backup or another node.");
    }
}
