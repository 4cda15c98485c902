package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Commands of one node on their way into the log.
 *
 * <p>What comes while {@link #ENTRIES_MAX} entries are under way waits and makes the next one, so that a single command goes at
 * once and many share an entry. An entry whose fate is open is sent again under its number, by which the leader knows it, and
 * a command is answered after at most its patience: with what became of it, when that is known and in this node's replica, else as
 * unknown.
 *
 * <p>Pure; one owner at a time. Holds at most {@link #BYTES_MAX} bytes of commands; one that does not fit is answered as unknown at once.
 */
final class Submissions {
    /** Entries under way at a time; so many that a round to the leader and its force is not waited for. */
    static final int ENTRIES_MAX = 16;

    /** Most bytes of commands in an entry, unless a single one is larger. */
    static final int ENTRY_BYTES_MAX = 64 * 1024;

    /** Most commands in an entry. */
    static final int ENTRY_COMMANDS_MAX = 1024;

    /** Most bytes of commands that are not answered yet. */
    static final int BYTES_MAX = 64 * 1024 * 1024;

    /** After which an entry that could not be sent, or was refused by who does not lead, is sent again. */
    static final long RETRY_NS = 50_000_000;

    /** Everything it can cause. */
    interface Output {
        /** Send this entry to the leader, and say what came of it. */
        void send(long entry, List<byte[]> commands);

        void answer(Consumer<Result> caller, Result result);
    }

    private final Output output;
    private final long patienceNs;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final Map<Long, Entry> underWay = new LinkedHashMap<>();
    private long lastEntry;
    private long bytes;
    /** Index in the log up to which this node's replica has everything. */
    private long applied = -1;

    private static final class Waiting {
        private final byte[] command;
        private final Consumer<Result> caller;
        private final long untilNs;

        Waiting(byte[] command, Consumer<Result> caller, long untilNs) {
            this.command = command;
            this.caller = caller;
            this.untilNs = untilNs;
        }
    }

    private static final class Entry {
        private final List<Waiting> commands = new ArrayList<>();
        private byte[] results = new byte[0];
        private long index = -1;
        private boolean resend;
        private long resendAtNs;

        boolean isKnown() {
            return index >= 0;
        }

        long untilNs() {
            return commands.get(0).untilNs;
        }

        List<byte[]> contents() {
            return commands.stream().map(waiting -> waiting.command).toList();
        }
    }

    Submissions(Output output, long patienceNs) {
        this.output = output;
        this.patienceNs = patienceNs;
    }

    /** Whether time has to be told. */
    boolean isIdle() {
        return waiting.isEmpty() && underWay.isEmpty();
    }

    void onSubmit(byte[] command, Consumer<Result> caller, long nowNs) {
        if (bytes + command.length > BYTES_MAX) {
            output.answer(caller, Result.UNKNOWN);
            return;
        }
        bytes += command.length;
        waiting.addLast(new Waiting(command, caller, nowNs + patienceNs));
        sendNext();
    }

    /**
     * The leader has committed an entry.
     *
     * @param results for each command 1 if it was applied, 0 if it was refused
     * @param index where in the log it is
     */
    void onReply(long number, byte[] results, long index) {
        Entry entry = underWay.get(number);
        if (entry == null || entry.isKnown() || results.length != entry.commands.size()) {
            return;
        }
        entry.results = results;
        entry.index = index;
        entry.resend = false;
        answerApplied();
    }

    /** An entry did not reach the leader, or nobody knows whether it did. */
    void onFailure(long number, long nowNs) {
        Entry entry = underWay.get(number);
        if (entry != null && !entry.isKnown()) {
            entry.resend = true;
            entry.resendAtNs = nowNs + RETRY_NS;
        }
    }

    /** This node's replica has everything up to there. */
    void onApplied(long index) {
        applied = Math.max(applied, index);
        answerApplied();
    }

    /** Another node leads: what the last one was sent may never be answered. */
    void onLeader() {
        underWay.forEach((number, entry) -> {
            if (!entry.isKnown()) {
                entry.resend = false;
                output.send(number, entry.contents());
            }
        });
    }

    /** This node goes over to another log, or stops. */
    void onLogLeft() {
        underWay.values().forEach(entry -> entry.commands.forEach(this::forget));
        underWay.clear();
        waiting.forEach(this::forget);
        waiting.clear();
        applied = -1;
    }

    void onTick(long nowNs) {
        Iterator<Entry> entries = underWay.values().iterator();
        while (entries.hasNext()) {
            Entry entry = entries.next();
            if (nowNs - entry.untilNs() > 0) {
                entries.remove();
                giveUp(entry);
            }
        }
        while (!waiting.isEmpty() && nowNs - waiting.getFirst().untilNs > 0) {
            forget(waiting.removeFirst());
        }
        underWay.forEach((number, entry) -> {
            if (entry.resend && nowNs - entry.resendAtNs >= 0) {
                entry.resend = false;
                output.send(number, entry.contents());
            }
        });
        sendNext();
    }

    private void sendNext() {
        while (!waiting.isEmpty() && underWay.size() < ENTRIES_MAX) {
            Entry entry = new Entry();
            int size = 0;
            while (!waiting.isEmpty()
                    && entry.commands.size() < ENTRY_COMMANDS_MAX
                    && (size == 0 || size + waiting.getFirst().command.length <= ENTRY_BYTES_MAX)) {
                size += waiting.getFirst().command.length;
                entry.commands.add(waiting.removeFirst());
            }
            underWay.put(++lastEntry, entry);
            output.send(lastEntry, entry.contents());
        }
    }

    private void answerApplied() {
        Iterator<Entry> entries = underWay.values().iterator();
        while (entries.hasNext()) {
            Entry entry = entries.next();
            if (entry.isKnown() && entry.index <= applied) {
                entries.remove();
                answer(entry);
            }
        }
        sendNext();
    }

    /** What the leader said holds, even if this replica is late. */
    private void giveUp(Entry entry) {
        if (entry.isKnown()) {
            answer(entry);
        } else {
            entry.commands.forEach(this::forget);
        }
    }

    private void answer(Entry entry) {
        for (int i = 0; i < entry.results.length; i++) {
            Waiting command = entry.commands.get(i);
            bytes -= command.command.length;
            output.answer(command.caller, entry.results[i] == 1 ? Result.APPLIED : Result.REFUSED);
        }
    }

    private void forget(Waiting command) {
        bytes -= command.command.length;
        output.answer(command.caller, Result.UNKNOWN);
    }
}
