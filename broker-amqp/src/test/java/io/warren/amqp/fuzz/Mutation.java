package io.warren.amqp.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Ways to spoil a client's frames or bytes; all of them decided by the random source alone. */
final class Mutation {

    private static final int MUTATIONS_MAX = 4;
    private static final int[] INTERESTING = {0, 1, 0x7f, 0x80, 0xce, 0xff};

    private final SplittableRandom random;

    Mutation(SplittableRandom random) {
        this.random = random;
    }

    /** One to four changes, of whole frames or of single bytes. */
    byte[] spoil(List<ByteBuffer> pieces) {
        List<ByteBuffer> frames = new ArrayList<>(pieces);
        if (random.nextInt(3) == 0) {
            shuffle(frames);
        }
        byte[] bytes = Recording.join(frames);
        int changes = 1 + random.nextInt(MUTATIONS_MAX);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            bytes = change(bytes);
        }
        return bytes;
    }

    private void shuffle(List<ByteBuffer> frames) {
        int one = random.nextInt(frames.size());
        int other = random.nextInt(frames.size());
        switch (random.nextInt(3)) {
            case 0 -> Collections.swap(frames, one, other);
            case 1 -> frames.add(one, frames.get(other));
            default -> frames.remove(one);
        }
    }

    private byte[] change(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        int length = 1 + random.nextInt(Math.min(8, bytes.length - at));
        return switch (random.nextInt(7)) {
            case 0 -> with(bytes, at, bytes[at] ^ 1 << random.nextInt(8));
            case 1 -> with(bytes, at, INTERESTING[random.nextInt(INTERESTING.length)]);
            case 2 -> with(bytes, at, bytes[at] + random.nextInt(-3, 4));
            case 3 -> splice(bytes, at, at + length, new byte[0]);
            case 4 -> splice(bytes, at, at, randomBytes(length));
            case 5 -> splice(bytes, at, at, Arrays.copyOfRange(bytes, at, at + length));
            default -> Arrays.copyOf(bytes, at);
        };
    }

    private static byte[] with(byte[] bytes, int at, int value) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] between) {
        byte[] changed = new byte[from + between.length + bytes.length - to];
        System.arraycopy(bytes, 0, changed, 0, from);
        System.arraycopy(between, 0, changed, from, between.length);
        System.arraycopy(bytes, to, changed, from + between.length, bytes.length - to);
        return changed;
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
