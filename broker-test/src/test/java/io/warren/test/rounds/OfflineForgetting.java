package io.warren.test.rounds;

import io.warren.mirroring.cluster.StoppedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A node that does not run founds a metadata log without others, whatever is lost: {@code OfflineForgetting DIRECTORY NODE...}. It needs the node's address. */
final class OfflineForgetting {

    private OfflineForgetting() {}

    public static void main(String[] arguments) throws IOException {
        try (StoppedNode stopped = StoppedNode.open(Path.of(arguments[0]))) {
            stopped.forget(List.of(arguments).subList(1, arguments.length), true);
        }
        System.exit(0);
    }
}
