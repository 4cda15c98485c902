package io.warren.mirroring.metadata.format;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.ring.Member;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * One command of the metadata as bytes: a byte that says which, then its parts.
 *
 * <pre>
 * 1 nodes           count, each: name, incarnation, running, address
 * 2 create group    name, durable, least in sync, members
 * 3 delete group    name
 * 4 limit           name, least in sync
 * 5 member in sync  log, count, each: group, epoch, node, incarnation
 * 6 member lagging  the same
 * 7 promote         the same
 * 8 members         name, nodes
 * 9 for topology    node, incarnation, sequence, count, each: a record of the core's
 * 10 forget         node
 * 11 hand over      as 5
 * </pre>
 *
 * Texts have four bytes of length and are UTF-8; counts have four bytes, numbers eight.
 */
public final class CommandBytes {

    /** Which command it is; the numbers are on disk and are never used again for another. */
    private enum Code {
        NODES(1),
        CREATE_GROUP(2),
        DELETE_GROUP(3),
        LIMIT(4),
        MEMBER_IN_SYNC(5),
        MEMBER_LAGGING(6),
        PROMOTE(7),
        MEMBERS(8),
        FOR_TOPOLOGY(9),
        FORGET(10),
        HAND_OVER(11);

        private final int number;

        Code(int number) {
            this.number = number;
        }

        private static Code of(int number) {
            for (Code code : values()) {
                if (code.number == number) {
                    return code;
                }
            }
            throw new IllegalArgumentException("number=" + number + " is no command");
        }
    }

    private CommandBytes() {}

    /** The bytes of a command. */
    public static byte[] of(Command command) {
        Output to = new Output();
        write(to, command);
        return to.toArray();
    }

    /** The command these bytes are, all of them. */
    public static Command read(ByteBuffer bytes) {
        return Input.read(bytes, "a command", CommandBytes::read);
    }

    static void write(Output to, Command command) {
        if (command instanceof Command.Nodes nodes) {
            code(to, Code.NODES).each(new TreeMap<>(nodes.changes()).entrySet(), change -> change(to, change));
        } else if (command instanceof Command.CreateGroup create) {
            code(to, Code.CREATE_GROUP).text(create.group()).bit(create.durable());
            to.integer(create.minInSync()).texts(create.members());
        } else if (command instanceof Command.DeleteGroup delete) {
            code(to, Code.DELETE_GROUP).text(delete.group());
        } else if (command instanceof Command.Limit limit) {
            code(to, Code.LIMIT).text(limit.group()).integer(limit.minInSync());
        } else if (command instanceof Command.MemberInSync inSync) {
            code(to, Code.MEMBER_IN_SYNC).number(inSync.logId()).each(inSync.claims(), claim -> claim(to, claim));
        } else if (command instanceof Command.MemberLagging lagging) {
            code(to, Code.MEMBER_LAGGING).number(lagging.logId()).each(lagging.claims(), claim -> claim(to, claim));
        } else if (command instanceof Command.Promote promote) {
            code(to, Code.PROMOTE).number(promote.logId()).each(promote.claims(), claim -> claim(to, claim));
        } else if (command instanceof Command.HandOver handOver) {
            code(to, Code.HAND_OVER).number(handOver.logId()).each(handOver.claims(), claim -> claim(to, claim));
        } else if (command instanceof Command.Members members) {
            code(to, Code.MEMBERS).text(members.group()).texts(members.wanted());
        } else if (command instanceof Command.ForTopology group) {
            member(code(to, Code.FOR_TOPOLOGY), group.submitter()).number(group.sequence());
            to.each(group.commands(), one -> to.topology(0, one));
        } else if (command instanceof Command.Forget forget) {
            code(to, Code.FORGET).text(forget.node());
        } else {
            throw new IllegalArgumentException("command=" + command + " has no code");
        }
    }

    static Command read(Input from) {
        return switch (Code.of(from.octet())) {
            case NODES -> nodes(from);
            case CREATE_GROUP -> new Command.CreateGroup(from.text(), from.bit(), from.integer(), from.texts());
            case DELETE_GROUP -> new Command.DeleteGroup(from.text());
            case LIMIT -> new Command.Limit(from.text(), from.integer());
            case MEMBER_IN_SYNC -> new Command.MemberInSync(from.number(), from.each(() -> claim(from)));
            case MEMBER_LAGGING -> new Command.MemberLagging(from.number(), from.each(() -> claim(from)));
            case PROMOTE -> new Command.Promote(from.number(), from.each(() -> claim(from)));
            case MEMBERS -> new Command.Members(from.text(), from.texts());
            case FOR_TOPOLOGY -> new Command.ForTopology(member(from), from.number(), from.each(from::topology));
            case FORGET -> new Command.Forget(from.text());
            case HAND_OVER -> new Command.HandOver(from.number(), from.each(() -> claim(from)));
        };
    }

    private static Output code(Output to, Code code) {
        return to.octet(code.number);
    }

    private static void change(Output to, Map.Entry<String, Command.Change> named) {
        Command.Change change = named.getValue();
        to.text(named.getKey())
                .number(change.incarnation())
                .bit(change.running())
                .text(change.address())
                .bit(change.stopped());
    }

    private static Command nodes(Input from) {
        Map<String, Command.Change> changes = new TreeMap<>();
        from.each(
                () -> changes.put(from.text(), new Command.Change(from.number(), from.bit(), from.text(), from.bit())));
        return new Command.Nodes(changes);
    }

    private static void claim(Output to, Command.Claim claim) {
        member(to.text(claim.group()).number(claim.epoch()), claim.member());
    }

    private static Command.Claim claim(Input from) {
        return new Command.Claim(from.text(), from.number(), member(from));
    }

    static Output member(Output to, Member member) {
        return to.text(member.node()).number(member.incarnation());
    }

    static Member member(Input from) {
        return new Member(from.text(), from.number());
    }
}
