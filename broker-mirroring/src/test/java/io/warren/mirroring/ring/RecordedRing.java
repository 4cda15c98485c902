package io.warren.mirroring.ring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns a member's output into a list of records. */
final class RecordedRing implements RingOutput<String> {
    /** One call. */
    sealed interface Effect {
        record Sent(String node, Frame<String> frame) implements Effect {}

        record Appended(Position position, @Nullable String payload) implements Effect {}

        record Cut(long from) implements Effect {}

        record Delivered(long offset, @Nullable String payload) implements Effect {}

        record Installed(long epoch, long offset) implements Effect {}

        record Stable(long offset) implements Effect {}

        record Forgotten(long offset) implements Effect {}

        record ProposedInSync(long epoch, Member member) implements Effect {}

        record ProposedLagging(long epoch, Member member) implements Effect {}

        record Lost(Position leftBegins) implements Effect {}
    }

    private final List<Effect> effects = new ArrayList<>();

    /** What happened since this was last asked. */
    List<Effect> taken() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    @Override
    public void send(String node, Frame<String> frame) {
        effects.add(new Effect.Sent(node, frame));
    }

    @Override
    public void append(Entry<String> entry) {
        effects.add(new Effect.Appended(entry.position(), entry.view() == null ? entry.payload() : "view"));
    }

    @Override
    public void cut(long fromOffset) {
        effects.add(new Effect.Cut(fromOffset));
    }

    @Override
    public void deliver(Entry<String> entry) {
        effects.add(new Effect.Delivered(entry.offset(), entry.payload()));
    }

    @Override
    public void viewInstalled(View view, long offset) {
        effects.add(new Effect.Installed(view.epoch(), offset));
    }

    @Override
    public void stable(long offset) {
        effects.add(new Effect.Stable(offset));
    }

    @Override
    public void forget(long offset) {
        effects.add(new Effect.Forgotten(offset));
    }

    @Override
    public void proposeInSync(long epoch, Member member) {
        effects.add(new Effect.ProposedInSync(epoch, member));
    }

    @Override
    public void proposeLagging(long epoch, Member member) {
        effects.add(new Effect.ProposedLagging(epoch, member));
    }

    @Override
    public void lost(Position leftBegins) {
        effects.add(new Effect.Lost(leftBegins));
    }
}
