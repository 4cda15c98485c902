package io.warren.amqp.frame;

import io.warren.amqp.method.Method;
import io.warren.core.message.Properties;

/** Takes frames one by one, as they were read. */
public interface FrameListener {

    void onMethod(int channel, Method method);

    void onHeader(int channel, int classId, long bodyBytes, Properties properties);

    /** A part of a body; the array is the listener's. */
    void onBody(int channel, byte[] part);

    void onHeartbeat();
}
