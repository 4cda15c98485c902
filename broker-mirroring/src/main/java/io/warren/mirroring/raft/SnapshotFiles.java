package io.warren.mirroring.raft;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/** Snapshots in files, one each, where Ratis looks for them and sends them from. A file is whole and forced before it has its name. */
final class SnapshotFiles {
    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

    /** A snapshot and the last entry that is in it. */
    static final class Snapshot {
        private final TermIndex at;
        private final byte[] bytes;

        private Snapshot(TermIndex at, byte[] bytes) {
            this.at = at;
            this.bytes = bytes;
        }

        TermIndex at() {
            return at;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    void init(RaftStorage where) throws IOException {
        storage.init(where);
    }

    StateMachineStorage storage() {
        return storage;
    }

    /** The latest snapshot, or null if there is none. */
    @Nullable Snapshot read() throws IOException {
        SingleFileSnapshotInfo latest = storage.loadLatestSnapshot();
        if (latest == null) {
            return null;
        }
        return new Snapshot(
                latest.getTermIndex(), Files.readAllBytes(latest.getFile().getPath()));
    }

    void write(TermIndex at, byte[] bytes) throws IOException {
        File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
        Path whole = file.toPath();
        Path unfinished = whole.resolveSibling(whole.getFileName() + ".unfinished");
        writeForced(unfinished, bytes);
        Files.move(unfinished, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        MD5Hash digest = MD5FileUtil.computeAndSaveMd5ForFile(file);
        forceDirectory(whole.resolveSibling("."));
        storage.updateLatestSnapshot(
                new SingleFileSnapshotInfo(new FileInfo(whole, digest), at.getTerm(), at.getIndex()));
    }

    static void writeForced(Path path, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
    }

    static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
