package io.warren.mirroring.ring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * For each node, the incarnation and highest sequence it has had ordered: how a master recognises a broadcast sent again.
 *
 * <p>It is a function of the log, so a new master computes it from its log and needs nobody's word. An older incarnation of a
 * node is forgotten when a newer one is first ordered; the table never holds more rows than there were nodes.
 */
public final class Senders {
    private final Map<String, Sent> sent = new TreeMap<>();

    private record Sent(long incarnation, long sequence) {}

    /** The table before the first entry. */
    public Senders() {}

    public Senders copy() {
        Senders copy = new Senders();
        copy.sent.putAll(sent);
        return copy;
    }

    /** A table with these rows. */
    public static Senders of(Map<Member, Long> rows) {
        Senders senders = new Senders();
        rows.forEach((member, sequence) -> senders.sent.put(member.node(), new Sent(member.incarnation(), sequence)));
        return senders;
    }

    /** Its rows, to be sent to somebody else: the highest sequence of each. */
    public Map<Member, Long> rows() {
        Map<Member, Long> rows = new LinkedHashMap<>();
        sent.forEach((node, last) -> rows.put(new Member(node, last.incarnation), last.sequence));
        return rows;
    }

    /** Takes note of the next entry of the log. */
    public void onEntry(Entry<?> entry) {
        if (entry.view() == null) {
            sent.put(entry.sender().node(), new Sent(entry.sender().incarnation(), entry.sequence()));
        }
    }

    /** Highest sequence of this sender ordered so far; 0 if none. */
    public long highest(Member sender) {
        Sent last = sent.get(sender.node());
        return last == null || last.incarnation != sender.incarnation() ? 0 : last.sequence;
    }

    /**
     * Whether this is the very next thing the sender wants ordered: not again, not out of turn, not of a dead incarnation.
     *
     * @param oldest the sender's oldest sequence that it has not seen delivered. If it is this one, then nothing is missing before
     *     it, even if the table ends further down: what was delivered and is not in the log went when the group carried on from disk
     */
    boolean isNext(Member sender, long sequence, long oldest) {
        Sent last = sent.get(sender.node());
        if (last != null && last.incarnation > sender.incarnation()) {
            return false;
        }
        long highest = highest(sender);
        return sequence == highest + 1 || (sequence > highest && sequence == oldest);
    }
}
