package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;

/** How the view that opened a reign travels: its numbers, then its three lists. */
final class ViewCodec {
    private static final int MEMBERS_MAX = 1_000;

    private ViewCodec() {}

    static void write(View view, ByteBuf out) {
        out.writeLong(view.logId());
        Fields.writeNumber(out, view.epoch());
        Fields.writeNumber(out, view.reign());
        Fields.writeNumber(out, view.recovered());
        Fields.writeNumber(out, view.unsynchronised());
        Fields.writeNumber(out, view.minInSync());
        out.writeBoolean(view.up());
        writeMembers(out, view.inSync());
        writeMembers(out, view.others());
        Fields.writeNumber(out, view.kept().size());
        view.kept().forEach(node -> Fields.writeText(out, node));
    }

    static View read(ByteBuf in) {
        return new View(
                in.readLong(),
                Fields.readNumber(in),
                Fields.readNumber(in),
                Fields.readNumber(in),
                Fields.readNumber(in),
                Fields.readCount(in, MEMBERS_MAX),
                in.readBoolean(),
                readMembers(in),
                readMembers(in),
                readNames(in));
    }

    private static void writeMembers(ByteBuf out, List<Member> members) {
        Fields.writeNumber(out, members.size());
        members.forEach(member -> Fields.writeMember(out, member));
    }

    private static List<Member> readMembers(ByteBuf in) {
        int count = Fields.readCount(in, MEMBERS_MAX);
        List<Member> members = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            members.add(Fields.readMember(in));
        }
        return members;
    }

    private static List<String> readNames(ByteBuf in) {
        int count = Fields.readCount(in, MEMBERS_MAX);
        List<String> names = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            names.add(Fields.readText(in));
        }
        return names;
    }
}
