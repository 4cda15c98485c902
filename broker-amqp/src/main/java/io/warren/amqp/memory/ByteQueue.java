package io.warren.amqp.memory;

import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bytes from one side of a connection to the other: what a socket's buffer is to TCP.
 *
 * <p>The client's threads wait, for bytes or for room; the broker's event loop does not, and is woken. Holds at most
 * {@value #CAPACITY_BYTES} bytes and the write that went beyond them. Thread-safe.
 */
final class ByteQueue {

    /** As much as a socket's buffers hold together on a usual Linux. */
    static final int CAPACITY_BYTES = 256 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<ByteBuf> parts = new ArrayDeque<>();
    private final Runnable loopWakeUp;
    private int bytes;
    private boolean ended;

    /** @param loopWakeUp called when the loop may find something: bytes, room or the end */
    ByteQueue(Runnable loopWakeUp) {
        this.loopWakeUp = loopWakeUp;
    }

    // ---- the event loop's side

    /** Takes a part over, unless there is no room; after the end it is dropped. */
    boolean offer(ByteBuf part) {
        lock.lock();
        try {
            if (!ended && bytes >= CAPACITY_BYTES) {
                return false;
            }
            add(part);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The next part, which is the caller's then; null if there is none. */
    @Nullable ByteBuf poll() {
        lock.lock();
        try {
            ByteBuf part = parts.poll();
            if (part != null) {
                bytes -= part.readableBytes();
                changed.signalAll();
            }
            return part;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is something to read, or nothing will come any more. */
    boolean hasNews() {
        lock.lock();
        try {
            return ended || !parts.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing comes any more. */
    boolean isOver() {
        lock.lock();
        try {
            return ended && parts.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    // ---- the client's side

    /**
     * Takes a part over, waiting for room.
     *
     * @throws SocketException after the end
     */
    void put(ByteBuf part) throws IOException {
        lock.lock();
        try {
            while (!ended && bytes >= CAPACITY_BYTES) {
                changed.awaitUninterruptibly();
            }
            boolean late = ended;
            add(part);
            if (late) {
                throw new SocketException("the connection is closed");
            }
        } finally {
            lock.unlock();
        }
        loopWakeUp.run();
    }

    /**
     * Reads what is there, waiting for at least one byte.
     *
     * @param timeoutMs 0 waits for ever
     * @return how many, or -1 after the end
     */
    int read(byte[] target, int offset, int length, int timeoutMs) throws IOException {
        int read;
        boolean foundRoom;
        lock.lock();
        try {
            await(timeoutMs);
            ByteBuf part = parts.peek();
            if (part == null) {
                return -1;
            }
            read = Math.min(length, part.readableBytes());
            part.readBytes(target, offset, read);
            foundRoom = bytes >= CAPACITY_BYTES && bytes - read < CAPACITY_BYTES;
            bytes -= read;
            if (!part.isReadable()) {
                parts.remove().release();
            }
        } finally {
            lock.unlock();
        }
        if (foundRoom) {
            loopWakeUp.run();
        }
        return read;
    }

    private void await(int timeoutMs) throws IOException {
        long leftNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (parts.isEmpty() && !ended) {
            try {
                if (timeoutMs == 0) {
                    changed.await();
                } else if (leftNs <= 0) {
                    throw new SocketTimeoutException("nothing came within " + timeoutMs + " ms");
                } else {
                    leftNs = changed.awaitNanos(leftNs);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new EOFException("interrupted while waiting for bytes");
            }
        }
    }

    /** How many bytes can be read without waiting. */
    int available() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    // ---- both

    private void add(ByteBuf part) {
        if (ended) {
            part.release();
        } else if (part.isReadable()) {
            parts.add(part);
            bytes += part.readableBytes();
            changed.signalAll();
        } else {
            part.release();
        }
    }

    /** Nothing more comes; what is there can still be read. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        loopWakeUp.run();
    }

    /** Nobody reads any more. */
    void discard() {
        end();
        for (ByteBuf part = poll(); part != null; part = poll()) {
            part.release();
        }
    }
}
