package io.warren.mirroring.mirror;

import java.util.List;

/** What became of the copies of one mirrored queue. */
public sealed interface MirrorEvent {

    String vhost();

    String queue();

    /** A node has a copy from now on. Of a queue that begins nobody joins: {@link Promoted} comes first, and these are its slaves. */
    record Joined(String vhost, String queue, String node) implements MirrorEvent {}

    /** A node has no copy any more that is brought up to date: it ended, lags too far behind, or the policy wants none there. */
    record Left(String vhost, String queue, String node) implements MirrorEvent {}

    /** A slave holds everything from now on. */
    record InSync(String vhost, String queue, String node) implements MirrorEvent {}

    /** A slave that held everything does not any more, and may catch up. */
    record Lagging(String vhost, String queue, String node) implements MirrorEvent {}

    /** A node leads the queue from now on. */
    record Promoted(String vhost, String queue, String node) implements MirrorEvent {}

    /** A node leads the queue that does not hold everything, because nobody who does is up and the policy does not wait. Comes with {@link Promoted}. */
    record PromotedUnsynchronised(String vhost, String queue, String node) implements MirrorEvent {}

    /**
     * What the new master of a {@link PromotedUnsynchronised} found missing, told at its node.
     *
     * @param messages so many that were not settled, about; -1 if the node had not come to know how many there were
     */
    record MessagesLost(String vhost, String queue, String node, long messages) implements MirrorEvent {}

    /**
     * Nobody who holds everything is up.
     *
     * @param waitsFor nodes with which the queue is there again
     */
    record Down(String vhost, String queue, List<String> waitsFor) implements MirrorEvent {
        public Down {
            waitsFor = List.copyOf(waitsFor);
        }
    }
}
