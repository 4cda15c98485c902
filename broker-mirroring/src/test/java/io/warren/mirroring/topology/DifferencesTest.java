package io.warren.mirroring.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Change;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.QueueDefinition;
import org.junit.jupiter.api.Test;

/** What a broker hears that was away while its topology moved on. */
class DifferencesTest {

    private static Definitions with(Definitions definitions, Command... commands) {
        Definitions next = definitions;
        for (Command command : commands) {
            next = next.apply(command).definitions();
        }
        return next;
    }

    private static Command declare(String vhost, String name) {
        return new Command.DeclareQueue(vhost, new QueueDefinition(name, true, false, null, FieldTable.EMPTY));
    }

    private static long id(Definitions definitions, String name) {
        return definitions.vhost("/").queue(name).id();
    }

    @Test
    void shouldTellNothingWhenNothingHasChanged() {
        Definitions before = with(Definitions.initial(), declare("/", "q"));

        assertThat(Differences.between(before, before.withNextQueueId(99)).changes())
                .isEmpty();
    }

    @Test
    void shouldTellOfQueuesThatCameAndWent() {
        Definitions before = with(Definitions.initial(), declare("/", "goes"), declare("/", "stays"));
        Definitions after =
                with(before, new Command.DeleteQueue("/", "goes", id(before, "goes")), declare("/", "comes"));

        assertThat(Differences.between(before, after).changes())
                .containsExactly(
                        new Change.QueueDeleted("/", before.vhost("/").queue("goes")),
                        new Change.QueueDeclared("/", after.vhost("/").queue("comes")));
    }

    @Test
    void shouldTakeAQueueOfTheSameNameForAnother() {
        Definitions before = with(Definitions.initial(), declare("/", "q"));
        Definitions after = with(before, new Command.DeleteQueue("/", "q", id(before, "q")), declare("/", "q"));

        assertThat(Differences.between(before, after).changes())
                .containsExactly(
                        new Change.QueueDeleted("/", before.vhost("/").queue("q")),
                        new Change.QueueDeclared("/", after.vhost("/").queue("q")));
    }

    @Test
    void shouldTellOfAVirtualHostBehindItsQueues() {
        Definitions before = with(Definitions.initial(), new Command.PutVhost("v"), declare("v", "q"));
        Definitions after = with(before, new Command.DeleteVhost("v"));

        var changes = Differences.between(before, after).changes();

        assertThat(changes).first().isInstanceOf(Change.QueueDeleted.class);
        assertThat(changes).last().isEqualTo(new Change.VhostDeleted("v"));
    }
}
