package io.warren.mirroring.node;

import io.warren.mirroring.metadata.MirrorStatus;
import io.warren.mirroring.transfer.Giver;
import java.util.List;

/**
 * A mirrored queue and its copies, as one node knows them.
 *
 * @param vhost its virtual host
 * @param name its name there
 * @param copies where they are, and which are in sync
 * @param synchronising how far each slave has been given the messages that it lacks, of those to whom they go just now; only the master's node knows, for
 *     others it is empty
 */
public record MirroredQueue(String vhost, String name, MirrorStatus copies, List<Giver.Progress> synchronising) {

    public MirroredQueue {
        synchronising = List.copyOf(synchronising);
    }
}
