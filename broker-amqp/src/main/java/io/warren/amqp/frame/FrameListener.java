package io.warren.amqp.frame;

import io.warren.amqp.method.Method;
import io.warren.core.message.Properties;

/** Takes frames one by one, as they were read. */
public interface FrameListener {

    void onMethod(int channel, Method method);

    /** Whether a content header is due on that channel; if not, what is in one is of no interest. */
    boolean awaitsHeader(int channel);

    /** A content header where none is due. */
    void onUnexpectedHeader(int channel);

    void onHeader(int channel, int classId, long bodyBytes, Properties properties);

    /** A part of a body; the array is the listener's. */
    void onBody(int channel, byte[] part);

    void onHeartbeat();
}
