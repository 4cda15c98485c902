package io.warren.mirroring.link;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import java.util.List;

/** What a frame counts: the bytes its entries say they have, and about what an entry and a frame add on the wire. */
public final class Sizes {
    private static final int FRAME_BYTES = 64;
    private static final int ENTRY_BYTES = 16;

    private Sizes() {}

    /** At least 1; no more than the largest int. */
    public static int of(Frame<?> frame) {
        long bytes = FRAME_BYTES;
        if (frame instanceof Frame.Append<?> append) {
            List<? extends Entry<?>> entries = append.entries();
            for (int at = 0; at < entries.size(); at++) {
                bytes += ENTRY_BYTES + entries.get(at).bytes();
            }
        } else if (frame instanceof Frame.Broadcast<?> broadcast) {
            bytes += broadcast.bytes();
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    /** Of a message: one that is empty counts nothing. */
    public static int of(byte[] body) {
        return body.length == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, (long) FRAME_BYTES + body.length);
    }
}
