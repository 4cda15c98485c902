package io.warren.mirroring.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Small files that are replaced as a whole and survive a crash: after it there is the old content or the new. */
public final class ForcedFile {

    private ForcedFile() {}

    /** Puts this content in the place of the file; it is on the disk when this returns. */
    public static void replace(Path file, byte[] content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        SnapshotFiles.writeForced(unfinished, content);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        SnapshotFiles.forceDirectory(file.resolveSibling("."));
    }
}
