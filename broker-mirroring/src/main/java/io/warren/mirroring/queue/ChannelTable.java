package io.warren.mirroring.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each live channel has published here: how a publish that is sent again is recognised.
 *
 * <p>A row has the highest number, and which numbers up to it are no publish of this queue: those were refused, or asked for something
 * else, or were transient and did not outlive all in-sync processes. Below the channel's first open number nothing is ever sent again, so a row has no more ranges than the channel has publishes open.
 */
final class ChannelTable {

    /** What a publish is that may have come before. */
    enum Known {
        /** It did not. */
        NEW,
        /** It is in the queue, or was settled. */
        TAKEN,
        /** It came before a publish that was taken, and was not taken itself, or not kept. */
        REFUSED
    }

    /**
     * One channel, to be handed to somebody else.
     *
     * @param gaps numbers from the first open to the highest that are no publish here
     */
    record Row(ChannelId channel, long highest, long firstOpen, List<OffsetRange> gaps) {
        Row {
            gaps = List.copyOf(gaps);
        }
    }

    private static final class Sent {
        long highest;
        long firstOpen = 1;
        /** Last number of each range by its first. */
        final TreeMap<Long, Long> gaps = new TreeMap<>();
    }

    private final Map<ChannelId, Sent> channels = new TreeMap<>();

    static ChannelTable of(List<Row> rows) {
        ChannelTable table = new ChannelTable();
        for (Row row : rows) {
            Sent sent = new Sent();
            sent.highest = row.highest();
            sent.firstOpen = row.firstOpen();
            row.gaps().forEach(gap -> sent.gaps.put(gap.first(), gap.last()));
            table.channels.put(row.channel(), sent);
        }
        return table;
    }

    /** Its rows, by channel. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        channels.forEach((channel, sent) -> {
            List<OffsetRange> gaps = new ArrayList<>();
            sent.gaps.forEach((first, last) -> gaps.add(new OffsetRange(first, last)));
            rows.add(new Row(channel, sent.highest, sent.firstOpen, gaps));
        });
        return rows;
    }

    ChannelTable copy() {
        return of(rows());
    }

    List<ChannelId> channels() {
        return List.copyOf(channels.keySet());
    }

    Known recognise(ChannelId channel, long sequence) {
        Sent sent = channels.get(channel);
        if (sent == null || sequence > sent.highest) {
            return Known.NEW;
        }
        Map.Entry<Long, Long> gap = sent.gaps.floorEntry(sequence);
        return gap != null && sequence <= gap.getValue() ? Known.REFUSED : Known.TAKEN;
    }

    /** A publish is in the queue. */
    void onPublish(ChannelId channel, long sequence, long firstOpen) {
        Sent sent = channels.computeIfAbsent(channel, id -> new Sent());
        Invariant.check(sequence > sent.highest, "a channel's publishes come once and in order:", channel, sequence);
        if (firstOpen > sent.firstOpen) {
            sent.firstOpen = firstOpen;
            trim(sent);
        }
        long from = Math.max(sent.highest + 1, sent.firstOpen);
        if (from < sequence) {
            sent.gaps.put(from, sequence - 1);
        }
        sent.highest = sequence;
    }

    /** A publish that was taken is not kept after all: sent again, it is refused, rather than confirmed after it went. */
    void onNotKept(ChannelId channel, long sequence) {
        Sent sent = channels.get(channel);
        if (sent == null || sequence < sent.firstOpen) {
            return;
        }
        long first = sequence;
        long last = sequence;
        Map.Entry<Long, Long> before = sent.gaps.floorEntry(sequence);
        if (before != null && before.getValue() >= sequence - 1) {
            first = before.getKey();
            last = Math.max(last, before.getValue());
        }
        Long after = sent.gaps.remove(last + 1);
        sent.gaps.put(first, after == null ? last : after);
    }

    /** Ranges that begin below the first open number lose what lies there. */
    private static void trim(Sent sent) {
        for (Map.Entry<Long, Long> first = sent.gaps.firstEntry();
                first != null && first.getKey() < sent.firstOpen;
                first = sent.gaps.firstEntry()) {
            sent.gaps.pollFirstEntry();
            if (first.getValue() >= sent.firstOpen) {
                sent.gaps.put(sent.firstOpen, first.getValue());
            }
        }
    }

    /** The channel has ended; one that is not there is none. */
    void remove(ChannelId channel) {
        channels.remove(channel);
    }
}
