package io.warren.mirroring.node;

import io.warren.mirroring.metadata.MirrorStatus;

/**
 * A mirrored queue and its copies, as one node knows them.
 *
 * @param vhost its virtual host
 * @param name its name there
 * @param copies where they are, and which are in sync
 */
public record MirroredQueue(String vhost, String name, MirrorStatus copies) {}
