package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.CheckpointFile;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.HeldCheckpoint;
import io.flinkfluss.storage.server.replication.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The metadata checkpoint is one file: a second name keeps it while it is sent. */
final class MetadataTransfer implements CheckpointTransfer {
    private static final String NAME = "checkpoint";

    private final Path folder;
    private final Supplier<Position> install;
    private final AtomicLong holds = new AtomicLong();

    /**
     * @param folder of the metadata checkpoint
     * @param install on the applying thread, after the received file has taken the old one's place
     */
    MetadataTransfer(Path folder, Supplier<Position> install) {
        this.folder = folder;
        this.install = install;
        try {
            Folders.deleteTree(held());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private Path held() {
        return folder.resolve("held");
    }

    @Override
    public Optional<HeldCheckpoint> hold() {
        Path second = held().resolve(Long.toString(holds.getAndIncrement()));
        try {
            Files.createDirectories(held());
            Files.createLink(second, folder.resolve(NAME));
            Position position = position(second);
            CheckpointFile file = new CheckpointFile(NAME, second, Files.size(second));
            return Optional.of(new HeldCheckpoint(position, List.of(file), () -> release(second)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static Position position(Path file) {
        ByteBuffer content =
                new MetadataFile(file)
                        .read()
                        .orElseThrow(
                                () ->
                                        new StorageException(
                                                ErrorCode.CORRUPT_DATA, file + " is missing"));
        WireInput input = new WireInput(content);
        input.readVersion(MetadataState.CHECKPOINT);
        return new Position(input.readLong(), input.readLong());
    }

    private static void release(Path second) {
        try {
            Files.deleteIfExists(second);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public Path incoming() {
        return folder.resolve("incoming");
    }

    @Override
    public Optional<LocalFile> similar(String name) {
        return Optional.empty();
    }

    @Override
    public Position verify() {
        return position(incoming().resolve(NAME));
    }

    @Override
    public Position install() {
        verify();
        try {
            Files.move(
                    incoming().resolve(NAME), folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
            Folders.force(folder);
            Folders.deleteTree(incoming());
            return install.get();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static UncheckedIOException failed(IOException cause) {
        return new UncheckedIOException("a metadata checkpoint cannot be sent or received", cause);
    }
}
