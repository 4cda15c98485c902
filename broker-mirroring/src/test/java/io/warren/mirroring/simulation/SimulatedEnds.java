package io.warren.mirroring.simulation;

import io.warren.core.queue.QueueState;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.attachment.QueueEnd;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.queue.MirroredBackingQueue;
import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The queue's ends at one node, each a {@link QueueEnd}, and who of them uses the queue while this node leads it. All of it in the queue's
 * mailbox.
 */
final class SimulatedEnds {
    private final Simulation world;
    private final SimulatedNode node;
    private final SimulatedQueue queue;
    private final Map<Far, Shell> shells = new LinkedHashMap<>();
    /** Attached in this reign, one for each channel. */
    private final Map<ChannelId, SimulatedUse> users = new LinkedHashMap<>();

    /** A channel's end at some node. */
    private record Far(Member node, long id) {}

    SimulatedEnds(Simulation world, SimulatedNode node, SimulatedQueue queue) {
        this.world = world;
        this.node = node;
        this.queue = queue;
    }

    /** One queue's end with what its shell has to do. */
    final class Shell implements QueueEnd.Output {
        final SimulatedChannel channel;
        private final Far far;
        private final QueueEnd end;
        private final ArrayDeque<AttachmentFrame.ToQueue> early = new ArrayDeque<>();
        /** Of a reign that has not begun here, or never will. */
        private AttachmentFrame.Attach earlyAttach;

        private AttachmentFrame.Attach present;

        private Shell(SimulatedChannel channel, Far far) {
            this.channel = channel;
            this.far = far;
            end = new QueueEnd(far.id, this);
        }

        QueueEnd end() {
            return end;
        }

        long id() {
            return far.id;
        }

        boolean isAt(int attempt) {
            return present != null && present.attempt() == attempt;
        }

        private void onAttach(AttachmentFrame.Attach attach) {
            early.clear();
            earlyAttach = attach;
            tryAttach();
        }

        private void tryAttach() {
            AttachmentFrame.Attach attach = earlyAttach;
            MirroredBackingQueue backing = queue.backing();
            if (attach == null || backing == null || backing.reign() != attach.reign()) {
                return;
            }
            earlyAttach = null;
            present = attach;
            SimulatedUse use = new SimulatedUse(SimulatedEnds.this, queue, this, channelId(attach), attach.attempt());
            end.onAttach(attach, use);
            begin(use);
            for (AttachmentFrame.ToQueue frame = early.poll(); frame != null; frame = early.poll()) {
                end.onFrame(frame);
            }
        }

        private ChannelId channelId(AttachmentFrame.Attach attach) {
            return attach.source() == 0 ? channel.id() : ChannelId.ofQueue(attach.source());
        }

        private void onFrame(AttachmentFrame.ToQueue frame) {
            if (earlyAttach != null) {
                early.addLast(frame);
            } else {
                end.onFrame(frame);
            }
        }

        private void onLinkLost() {
            earlyAttach = null;
            early.clear();
            end.onLinkLost();
        }

        @Override
        public void send(AttachmentFrame.ToChannel frame) {
            Member self = node.member();
            node.send(far.node.node(), () -> channel.node.happen(() -> channel.onFrame(self, frame)));
        }

        @Override
        public void flushSoon() {
            queue.post(end::flush);
        }

        @Override
        public void closed() {
            end.onClosed();
        }

        @Override
        public void heard() {
            if (present.source() == 0) {
                channelEnded(channel.id());
            }
        }

        @Override
        public void ended() {
            shells.remove(far, this);
        }
    }

    // ---------------------------------------------------------------------------------------------- what happens

    void onFrame(SimulatedChannel channel, Member from, AttachmentFrame.ToQueue frame) {
        Far far = new Far(from, frame.id());
        if (frame instanceof AttachmentFrame.Attach attach) {
            shells.computeIfAbsent(far, first -> new Shell(channel, far)).onAttach(attach);
            return;
        }
        Shell shell = shells.get(far);
        if (shell != null) {
            shell.onFrame(frame);
        } else if (frame instanceof AttachmentFrame.Detach) {
            new Shell(channel, far).send(new AttachmentFrame.Detached(frame.id(), frame.attempt()));
        }
    }

    /** The reign of the queue that stands now begins: who came too early attaches. */
    void onLeads() {
        List.copyOf(shells.values()).forEach(Shell::tryAttach);
    }

    private void begin(SimulatedUse use) {
        if (isDead(use.channel)) {
            letGo(use);
            return;
        }
        SimulatedUse before = users.put(use.channel, use);
        if (before != null) {
            letGo(before);
        }
    }

    private static void letGo(SimulatedUse use) {
        use.close(() -> {});
        use.shell.end().onLetGo(use.attempt);
    }

    boolean isPresent(SimulatedUse use) {
        return users.get(use.channel) == use;
    }

    /** A dead letter must not be refused: it is kept where it is, and its queue tries again. */
    void refuseAll(SimulatedUse use) {
        users.remove(use.channel);
        letGo(use);
    }

    private void channelEnded(ChannelId channel) {
        users.remove(channel);
        MirroredBackingQueue backing = queue.backing();
        if (backing != null && backing.judge(channel, 1) != MirroredBackingQueue.Verdict.TAKE) {
            backing.channelGone(channel);
        }
    }

    /** The reign is over: nobody is told, everybody hears of the next by themselves. */
    void onReignOver() {
        users.values().forEach(use -> use.shell.end().onReignOver(use.attempt));
        users.clear();
        shells.values().removeIf(shell -> shell.earlyAttach == null);
    }

    /** The process is over. */
    void clear() {
        users.clear();
        shells.clear();
    }

    void onLinkDown(String other) {
        List.copyOf(shells.values()).stream()
                .filter(shell -> shell.far.node.node().equals(other))
                .forEach(Shell::onLinkLost);
    }

    /** Channels whose process has ended send nothing again, and hold nothing. */
    void forgetTheDead() {
        for (Shell shell : List.copyOf(shells.values())) {
            if (QueueWorld.hasEnded(node, shell.far.node)) {
                shell.onLinkLost();
                shells.remove(shell.far);
            }
        }
        MirroredBackingQueue backing = queue.backing();
        if (backing == null) {
            return;
        }
        for (SimulatedUse use : List.copyOf(users.values())) {
            if (isDead(use.channel)) {
                users.remove(use.channel);
                use.close(() -> {});
            }
        }
        backing.channels().stream().filter(this::isDead).forEach(backing::channelGone);
    }

    private boolean isDead(ChannelId channel) {
        return !channel.node().isEmpty() && !QueueWorld.isRunning(node, channel.node(), channel.incarnation());
    }

    /** Somebody who uses the queue, or null. */
    SimulatedUse any() {
        return users.isEmpty() ? null : users.values().iterator().next();
    }

    QueueState state() {
        return queue.state();
    }

    Simulation world() {
        return world;
    }
}
