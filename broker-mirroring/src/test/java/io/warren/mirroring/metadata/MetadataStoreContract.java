package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.ring.View;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What every {@link MetadataStore} of a cluster does, whatever carries it. The nodes A, B and C are up; a test may find what earlier
 * ones left behind.
 */
public abstract class MetadataStoreContract {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** One node's end. */
    protected abstract MetadataStore node(String name);

    /** This node reaches none of the other two. */
    protected abstract void isolate(String name);

    /** Everyone reaches everyone. */
    protected abstract void heal();

    @Test
    void shouldApplyEveryCommandAtEveryNode() {
        String known = name("node");

        assertThat(submit("A", up(known))).isEqualTo(Result.APPLIED);

        assertThat(knows("A", known)).isTrue();
        await().atMost(PATIENCE).until(() -> knows("B", known) && knows("C", known));
    }

    @Test
    void shouldTakeCommandsAtAnyNode() {
        for (String at : List.of("A", "B", "C")) {
            String known = name("node");

            assertThat(submit(at, up(known))).isEqualTo(Result.APPLIED);

            assertThat(knows(at, known)).isTrue();
        }
    }

    @Test
    void shouldTellViewsInOrderAndRefusals() {
        String one = name("node");
        String other = name("node");
        String group = name("group");
        ConcurrentLinkedQueue<View> views = new ConcurrentLinkedQueue<>();
        node("B").subscribe(new MetadataListener() {
            @Override
            public void onView(String changed, View view) {
                if (changed.equals(group)) {
                    views.add(view);
                }
            }
        });

        Command create = new Command.CreateGroup(group, true, 1, List.of(one, other));
        assertThat(submit("A", create)).isEqualTo(Result.REFUSED);
        submit("A", up(one));
        submit("A", up(other));
        submit("A", create);
        submit("A", new Command.Nodes(Map.of(one, Change.down(1))));

        await().atMost(PATIENCE).until(() -> views.size() == 2);
        assertThat(views).extracting(view -> view.inSync().size()).containsExactly(2, 1);
    }

    @Test
    void shouldTellListenersBeforeWhoeverSubmittedHere() {
        String known = name("node");
        ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
        node("C").subscribe(new MetadataListener() {
            @Override
            public void onNodes(Map<String, NodeState> nodes) {
                if (nodes.containsKey(known)) {
                    heard.add("listener");
                }
            }
        });

        CompletableFuture<Result> answered = new CompletableFuture<>();
        node("C").submit(up(known), result -> {
            heard.add("caller");
            answered.complete(result);
        });

        await().atMost(PATIENCE).until(answered::isDone);
        assertThat(heard).containsExactly("listener", "caller");
    }

    @Test
    void shouldTellANewListenerWhereTheNodeStands() {
        String before = name("node");
        String after = name("node");
        submit("A", up(before));
        ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

        node("A").subscribe(new MetadataListener() {
            @Override
            public void onFollowing(Metadata state) {
                heard.add("stands " + (state.node(before) != null) + " " + (state.node(after) != null));
            }

            @Override
            public void onNodes(Map<String, NodeState> nodes) {
                heard.add("hears " + nodes.containsKey(after));
            }
        });
        submit("A", up(after));

        assertThat(heard).containsExactly("stands true false", "hears true");
    }

    @Test
    void shouldLetAListenerSubmit() {
        String first = name("node");
        String second = name("node");
        node("A").subscribe(new MetadataListener() {
            @Override
            public void onNodes(Map<String, NodeState> nodes) {
                if (nodes.containsKey(first) && !nodes.containsKey(second)) {
                    node("A").submit(up(second), result -> {});
                }
            }
        });

        submit("C", up(first));

        await().atMost(PATIENCE).until(() -> knows("C", second));
    }

    @Test
    void shouldTellEveryNodeWhatOneReports() {
        ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
        for (String at : List.of("A", "B")) {
            node(at).subscribe(new MetadataListener() {
                @Override
                public void onReported(String node, long applied) {
                    if (applied == 4711) {
                        heard.add(at + " hears " + node);
                    }
                }
            });
        }

        node("B").reportApplied(4711);

        await().atMost(PATIENCE).until(() -> heard.size() == 2);
        assertThat(heard).containsExactlyInAnyOrder("A hears B", "B hears B");
    }

    @Test
    void shouldAnswerUnknownAtANodeThatReachesNoMajority() {
        String lost = name("node");
        String known = name("node");
        isolate("A");

        assertThat(submit("A", up(lost))).isEqualTo(Result.UNKNOWN);
        assertThat(knows("A", lost)).isFalse();
        heal();

        await().atMost(PATIENCE).until(() -> submit("A", up(known)) == Result.APPLIED);
        await().atMost(PATIENCE).until(() -> knows("B", known));
    }

    private Result submit(String at, Command command) {
        CompletableFuture<Result> answer = new CompletableFuture<>();
        node(at).submit(command, answer::complete);
        return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    private boolean knows(String at, String node) {
        return node(at).read(metadata -> metadata.node(node) != null);
    }

    private static String name(String of) {
        return of + "-" + NAMES.incrementAndGet();
    }

    private static Command up(String node) {
        return new Command.Nodes(Map.of(node, Change.up(1, node)));
    }
}
