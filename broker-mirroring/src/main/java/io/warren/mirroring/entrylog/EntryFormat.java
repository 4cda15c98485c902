package io.warren.mirroring.entrylog;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry as the content of a record.
 *
 * <pre>
 *  0  long  the sender's number
 *  8  int   bytes that count against the window
 * 12        sender: incarnation (8), bytes of the node (2), node in UTF-8
 *           1 if a view follows, else 0
 *           the payload; or a view: log id, epoch, reign, recovered, unsynchronised (8 each), least number in sync (4), up (1), and the
 *           numbers (4) and rows of members in sync, of others, and of nodes that are kept
 * </pre>
 */
final class EntryFormat {
    private static final int FIXED_BYTES = 13;

    private EntryFormat() {}

    /** An upper bound of what an entry takes. */
    static int bytesMax(Entry<byte[]> entry) {
        byte[] payload = entry.payload();
        View view = entry.view();
        int bytes = FIXED_BYTES + memberBytes(entry.sender()) + (payload == null ? 0 : payload.length);
        if (view != null) {
            bytes += 5 * Long.BYTES + 5 * Integer.BYTES;
            for (Member member : view.inSync()) {
                bytes += memberBytes(member);
            }
            for (Member member : view.others()) {
                bytes += memberBytes(member);
            }
            for (String node : view.kept()) {
                bytes += textBytes(node);
            }
        }
        return bytes;
    }

    private static int memberBytes(Member member) {
        return Long.BYTES + textBytes(member.node());
    }

    /** UTF-8 takes three bytes for a char of Java's at most. */
    static int textBytes(String text) {
        return Short.BYTES + 3 * text.length();
    }

    static void write(ByteBuffer to, Entry<byte[]> entry) {
        to.putLong(entry.sequence()).putInt(entry.bytes());
        writeMember(to, entry.sender());
        View view = entry.view();
        byte[] payload = entry.payload();
        to.put((byte) (view == null ? 0 : 1));
        if (view != null) {
            writeView(to, view);
        } else if (payload != null) {
            to.put(payload);
        }
    }

    private static void writeView(ByteBuffer to, View view) {
        to.putLong(view.logId()).putLong(view.epoch()).putLong(view.reign());
        to.putLong(view.recovered()).putLong(view.unsynchronised());
        to.putInt(view.minInSync()).put((byte) (view.up() ? 1 : 0));
        writeMembers(to, view.inSync());
        writeMembers(to, view.others());
        to.putInt(view.kept().size());
        view.kept().forEach(node -> writeText(to, node));
    }

    private static void writeMembers(ByteBuffer to, List<Member> members) {
        to.putInt(members.size());
        members.forEach(member -> writeMember(to, member));
    }

    static void writeMember(ByteBuffer to, Member member) {
        to.putLong(member.incarnation());
        writeText(to, member.node());
    }

    private static void writeText(ByteBuffer to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.putShort((short) bytes.length).put(bytes);
    }

    static Entry<byte[]> read(RecordFormat.Head head, ByteBuffer from) {
        long sequence = from.getLong();
        int bytes = from.getInt();
        Member sender = readMember(from);
        boolean isView = from.get() != 0;
        View view = isView ? readView(from) : null;
        byte[] payload = isView ? null : rest(from);
        return new Entry<>(
                new Position(head.epoch(), head.offset()),
                sender,
                sequence,
                (head.flags() & RecordFormat.PERSISTENT) != 0,
                bytes,
                payload,
                view);
    }

    /** The publish in an entry that brings a message. */
    static byte[] payload(ByteBuffer content) {
        ByteBuffer from = content.duplicate().position(Long.BYTES + Integer.BYTES);
        readMember(from);
        from.get();
        return rest(from);
    }

    static byte[] rest(ByteBuffer from) {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        return bytes;
    }

    private static View readView(ByteBuffer from) {
        return new View(
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getInt(),
                from.get() != 0,
                readMembers(from),
                readMembers(from),
                readNames(from));
    }

    private static List<Member> readMembers(ByteBuffer from) {
        List<Member> members = new ArrayList<>();
        for (int left = from.getInt(); left > 0; left--) {
            members.add(readMember(from));
        }
        return members;
    }

    private static List<String> readNames(ByteBuffer from) {
        List<String> names = new ArrayList<>();
        for (int left = from.getInt(); left > 0; left--) {
            names.add(readText(from));
        }
        return names;
    }

    static Member readMember(ByteBuffer from) {
        long incarnation = from.getLong();
        return new Member(readText(from), incarnation);
    }

    private static String readText(ByteBuffer from) {
        byte[] bytes = new byte[Short.toUnsignedInt(from.getShort())];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
