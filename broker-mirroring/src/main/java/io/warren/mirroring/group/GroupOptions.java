package io.warren.mirroring.group;

import io.warren.mirroring.ring.RingOptions;

/**
 * What the members of a group agree on.
 *
 * @param ring limits of the member
 * @param stored whether entries are written to disk. Where they are not, a member holds them durably as soon as it has them, for there
 *     is nothing that its process could lose and keep
 */
public record GroupOptions(RingOptions ring, boolean stored) {

    /** Entries go to disk, with the ring's own limits. */
    public static GroupOptions onDisk() {
        return new GroupOptions(RingOptions.defaults(), true);
    }

    /** Entries stay in memory, with the ring's own limits. */
    public static GroupOptions inMemory() {
        return new GroupOptions(RingOptions.defaults(), false);
    }
}
