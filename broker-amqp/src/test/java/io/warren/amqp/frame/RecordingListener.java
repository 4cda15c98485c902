package io.warren.amqp.frame;

import io.warren.amqp.method.Method;
import io.warren.core.message.Properties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes down the frames it is given, so that tests compare lists. */
final class RecordingListener implements FrameListener {

    /** A channel on which no content header is ever due. */
    static final int NO_HEADER_CHANNEL = 99;

    final List<Object> frames = new ArrayList<>();

    @Override
    public void onMethod(int channel, Method method) {
        frames.add(List.of(channel, method));
    }

    @Override
    public boolean awaitsHeader(int channel) {
        return channel != NO_HEADER_CHANNEL;
    }

    @Override
    public void onUnexpectedHeader(int channel) {
        frames.add(List.of(channel, "unexpected header"));
    }

    @Override
    public void onHeader(int channel, int classId, long bodyBytes, Properties properties) {
        frames.add(List.of(channel, classId, bodyBytes, properties));
    }

    @Override
    public void onBody(int channel, byte[] part) {
        frames.add(List.of(channel, Arrays.toString(part)));
    }

    @Override
    public void onHeartbeat() {
        frames.add("heartbeat");
    }
}
