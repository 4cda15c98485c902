package io.warren.amqp.session;

import io.warren.amqp.method.BasicMethod.Publish;
import io.warren.core.message.Properties;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A publish on its way in: the method, then its header, then its body in parts.
 *
 * <p>The body's array grows with what has come, not with what was announced. Owned by its channel.
 */
final class Content {

    /** An announced size is believed so far. */
    private static final int BELIEVED_BYTES_MAX = 1 << 20;

    private @Nullable Publish publish;
    private @Nullable Properties properties;
    private final byte[] nothing = {};
    private byte[] body = nothing;
    private int bodyBytes;
    private int receivedBytes;

    void begin(Publish method) {
        publish = method;
        properties = null;
    }

    /** Whether a header must come next. */
    boolean awaitsHeader() {
        return publish != null && properties == null;
    }

    /** Whether a part of a body must come next. */
    boolean awaitsBody() {
        return properties != null;
    }

    void header(Properties contentProperties, int announcedBytes) {
        properties = contentProperties;
        bodyBytes = announcedBytes;
        receivedBytes = 0;
        body = nothing;
    }

    /** Takes a part over; false if it is more than was announced. */
    boolean add(byte[] part) {
        if (part.length > bodyBytes - receivedBytes) {
            return false;
        }
        if (part.length == bodyBytes) {
            body = part;
        } else {
            reserve(receivedBytes + part.length);
            System.arraycopy(part, 0, body, receivedBytes, part.length);
        }
        receivedBytes += part.length;
        return true;
    }

    private void reserve(int bytes) {
        if (bytes > body.length) {
            int grown = Math.max(bytes, Math.max(Math.min(bodyBytes, BELIEVED_BYTES_MAX), 2 * body.length));
            body = Arrays.copyOf(body, Math.min(grown, bodyBytes));
        }
    }

    boolean isComplete() {
        return properties != null && receivedBytes == bodyBytes;
    }

    /** Takes what is complete. */
    interface Taker {
        void take(Publish publish, Properties properties, byte[] body);
    }

    /** Hands it over, once complete, and is ready for the next. */
    void hand(Taker taker) {
        Publish completeMethod = publish;
        Properties completeProperties = properties;
        byte[] completeBody = body;
        drop();
        if (completeMethod != null && completeProperties != null) {
            taker.take(completeMethod, completeProperties, completeBody);
        }
    }

    void drop() {
        publish = null;
        properties = null;
        body = nothing;
    }
}
