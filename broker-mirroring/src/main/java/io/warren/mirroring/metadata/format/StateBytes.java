package io.warren.mirroring.metadata.format;

import io.warren.core.metadata.Definitions;
import io.warren.core.store.format.TopologySnapshot;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.MetadataState;
import io.warren.mirroring.metadata.MetadataState.GroupState;
import io.warren.mirroring.metadata.MetadataState.Submitted;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.ring.View;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A whole state of the metadata as bytes: a snapshot, and what a log begins with.
 *
 * <pre>
 *  0  8 bytes  WARRENMD
 *  8  int      version
 * 12           log: id, ancestors, place of its founder; number of commands applied; whether queues are mirrored
 *              nodes: name, incarnation, running, address, place
 *              groups: name, durable, view
 *              submitted: node, incarnation, sequence
 *              topology: the records of commands that make it
 *  n  int      CRC32C of the above
 * </pre>
 *
 * Everything in the order of names, so equal states are equal bytes.
 */
public final class StateBytes {
    /** The version this code writes, and the only one it reads. */
    public static final int VERSION = 2;

    private static final String MAGIC = "WARRENMD";
    private static final int CRC_BYTES = 4;

    private StateBytes() {}

    public static byte[] of(MetadataState state) {
        Output to = new Output();
        to.raw(MAGIC.getBytes(StandardCharsets.US_ASCII)).integer(VERSION);
        to.number(state.logId().id()).each(state.logId().ancestors(), to::number);
        to.number(state.logId().founderJoined()).number(state.applied()).bit(state.mirrorsQueues());
        to.each(new TreeMap<>(state.nodes()).entrySet(), node -> node(to, node.getKey(), node.getValue()));
        to.each(new TreeMap<>(state.groups()).entrySet(), group -> group(to, group.getKey(), group.getValue()));
        to.each(new TreeMap<>(state.submitted()).entrySet(), last -> to.text(last.getKey())
                .number(last.getValue().incarnation())
                .number(last.getValue().sequence()));
        List<Runnable> topology = new ArrayList<>();
        TopologySnapshot.of(state.topology(), (id, command) -> topology.add(() -> to.topology(id, command)));
        to.each(topology, Runnable::run);
        return to.integer(crc(to.written())).toArray();
    }

    /** The state these bytes are; what was damaged, or written by a version this one does not know, is refused. */
    public static MetadataState read(byte[] bytes) {
        int end = bytes.length - CRC_BYTES;
        byte[] magic = MAGIC.getBytes(StandardCharsets.US_ASCII);
        if (end < magic.length + Integer.BYTES || !Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length)) {
            throw new IllegalArgumentException("no state of the metadata: bytes=" + bytes.length);
        }
        int version = ByteBuffer.wrap(bytes).getInt(magic.length);
        if (version != VERSION) {
            throw new IllegalArgumentException("version=" + version + " of the metadata; this one reads " + VERSION);
        }
        if (ByteBuffer.wrap(bytes).getInt(end) != crc(ByteBuffer.wrap(bytes, 0, end))) {
            throw new IllegalArgumentException("the state of the metadata is damaged: bytes=" + bytes.length);
        }
        int start = magic.length + Integer.BYTES;
        return Input.read(ByteBuffer.wrap(bytes, start, end - start), "a state of the metadata", StateBytes::read);
    }

    private static MetadataState read(Input from) {
        LogId logId = new LogId(from.number(), from.each(from::number), from.number());
        long applied = from.number();
        boolean mirrorsQueues = from.bit();
        Map<String, NodeState> nodes = new TreeMap<>();
        from.each(() -> nodes.put(
                from.text(), new NodeState(from.number(), from.bit(), from.text(), from.number(), from.bit())));
        Map<String, GroupState> groups = new TreeMap<>();
        from.each(() -> groups.put(from.text(), new GroupState(from.bit(), view(from))));
        Map<String, Submitted> submitted = new TreeMap<>();
        from.each(() -> submitted.put(from.text(), new Submitted(from.number(), from.number())));
        Definitions topology = Definitions.initial();
        int commands = from.count();
        for (int i = 0; i < commands; i++) {
            topology = from.topology(topology);
        }
        return new MetadataState(logId, applied, mirrorsQueues, nodes, groups, submitted, topology);
    }

    private static void node(Output to, String name, NodeState node) {
        to.text(name)
                .number(node.incarnation())
                .bit(node.running())
                .text(node.address())
                .number(node.joined())
                .bit(node.stopped());
    }

    private static void group(Output to, String name, GroupState group) {
        View view = group.view();
        to.text(name).bit(group.durable());
        to.number(view.logId()).number(view.epoch()).number(view.reign());
        to.number(view.recovered()).number(view.unsynchronised());
        to.integer(view.minInSync()).bit(view.up());
        to.each(view.inSync(), member -> CommandBytes.member(to, member));
        to.each(view.others(), member -> CommandBytes.member(to, member));
        to.texts(view.kept());
    }

    private static View view(Input from) {
        return new View(
                from.number(),
                from.number(),
                from.number(),
                from.number(),
                from.number(),
                from.integer(),
                from.bit(),
                from.each(() -> CommandBytes.member(from)),
                from.each(() -> CommandBytes.member(from)),
                from.texts());
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
