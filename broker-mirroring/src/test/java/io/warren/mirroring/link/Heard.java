package io.warren.mirroring.link;

import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a node heard, as lines; heartbeats only when asked for. Thread-safe. */
public final class Heard implements LinkListener<String> {
    private final List<String> lines = new ArrayList<>();
    private final List<long[]> heartbeats = new ArrayList<>();
    private final Map<String, Link<String>> links = new LinkedHashMap<>();
    private boolean givesBack = true;

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    public synchronized void clear() {
        lines.clear();
    }

    public synchronized List<long[]> heartbeats() {
        return List.copyOf(heartbeats);
    }

    /** The link that is up to this node. */
    public synchronized Link<String> link(String node) {
        return links.get(node);
    }

    public synchronized boolean isLinked(String node) {
        return links.containsKey(node);
    }

    /** Gives nothing back from now on: whatever is sent here waits. */
    public synchronized void keepAll() {
        givesBack = false;
    }

    @Override
    public synchronized void onUp(Link<String> link) {
        links.put(link.peer().node(), link);
        lines.add("up " + link.peer());
    }

    @Override
    public synchronized void onDown(Link<String> link, DownReason reason) {
        links.remove(link.peer().node(), link);
        lines.add("down " + link.peer() + " " + reason);
    }

    @Override
    public synchronized void onRefused(Member peer) {
        lines.add("refused " + peer);
    }

    @Override
    public synchronized void onUnreached(String address, String why) {
        lines.add("unreached " + address + ": " + why);
    }

    @Override
    public synchronized void onFrame(Link<String> link, String group, Frame<String> frame, int bytes) {
        lines.add(link.peer() + " " + group + " " + frame);
        giveBack(link, group, bytes);
    }

    @Override
    public synchronized void onMessage(Link<String> link, String group, int type, byte[] body, int bytes) {
        String shown = body.length > 20 ? body.length + " B" : Arrays.toString(body);
        lines.add(link.peer() + " " + group + " " + type + " " + shown);
        giveBack(link, group, bytes);
    }

    private void giveBack(Link<String> link, String group, int bytes) {
        if (givesBack) {
            link.giveBack(group, bytes);
        }
    }

    @Override
    public synchronized void onHeartbeat(Link<String> link, long[] values) {
        heartbeats.add(values);
    }
}
