package io.warren.mirroring.ring;

/**
 * The limits of one ring member.
 *
 * @param windowBytes most bytes a master orders above stable; when reached it orders nothing more until stable moves. Also the
 *     most bytes of its own broadcasts a member keeps; when reached {@link RingMember#broadcast} refuses
 * @param batchBytes most bytes in one APPEND, but always at least one entry
 * @param lagLimitNs how long a member may fail to reach what the master held when it last caught up
 * @param resendNs how long a member waits for its oldest broadcast before it sends everything undelivered again
 */
public record RingOptions(long windowBytes, int batchBytes, long lagLimitNs, long resendNs) {
    public RingOptions {
        if (windowBytes < 1 || batchBytes < 1 || lagLimitNs < 1 || resendNs < 1) {
            throw new IllegalArgumentException("windowBytes=" + windowBytes + " batchBytes=" + batchBytes
                    + " lagLimitNs=" + lagLimitNs + " resendNs=" + resendNs);
        }
    }

    /** 16 MiB of window, 64 KiB a frame, 10 s of lag, 1 s until a broadcast is sent again. */
    public static RingOptions defaults() {
        return new RingOptions(16L << 20, 64 << 10, 10_000_000_000L, 1_000_000_000L);
    }
}
