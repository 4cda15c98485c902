package io.warren.mirroring.metadata.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Command.Bind;
import io.warren.core.metadata.Command.DeclareExchange;
import io.warren.core.metadata.Command.DeclareQueue;
import io.warren.core.metadata.Command.DeleteQueue;
import io.warren.core.metadata.Command.DeleteVhost;
import io.warren.core.metadata.Command.PutPolicy;
import io.warren.core.metadata.Command.PutUser;
import io.warren.core.metadata.Command.PutVhost;
import io.warren.core.metadata.Command.SetPermission;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.ExchangeDefinition;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.metadata.PasswordHash;
import io.warren.core.metadata.Permission;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.Command.Claim;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataState;
import io.warren.mirroring.ring.Member;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FormatTest {
    private static final MetadataListener NOBODY = new MetadataListener() {};
    private static final Claim CLAIM = new Claim("q", 4, new Member("B", 2));

    @Test
    void shouldReadEveryCommandItWrites() {
        for (Command command : commands()) {
            assertThat(CommandBytes.read(ByteBuffer.wrap(CommandBytes.of(command))))
                    .isEqualTo(command);
        }
        assertThat(commands())
                .extracting(Object::getClass)
                .containsAll(List.of(Command.class.getPermittedSubclasses()).stream()
                        .filter(type -> type != Change.class && type != Claim.class)
                        .toList());
    }

    @Test
    void shouldReadTheSummaryOfALogAndRefuseATornOne() {
        LogSummary summary = new LogSummary(new LogId(3, List.of(1L, 2L), 4), List.of("A", "B"));
        byte[] bytes = summary.bytes();

        assertThat(LogSummary.read(ByteBuffer.wrap(bytes))).isEqualTo(summary);
        for (int length = 0; length < bytes.length; length++) {
            ByteBuffer torn = ByteBuffer.wrap(bytes, 0, length);
            assertThatIllegalArgumentException().isThrownBy(() -> LogSummary.read(torn));
        }
    }

    @Test
    void shouldReadSeveralCommandsOfAnEntry() {
        byte[] entry =
                LogEntry.ofCommands(commands().stream().map(CommandBytes::of).toList());

        assertThat(LogEntry.read(ByteBuffer.wrap(entry))).isEqualTo(new LogEntry.Commands(commands()));
    }

    @Test
    void shouldRefuseEveryTornEntry() {
        byte[] entry =
                LogEntry.ofCommands(commands().stream().map(CommandBytes::of).toList());

        for (int length = 0; length < entry.length; length++) {
            ByteBuffer torn = ByteBuffer.wrap(entry, 0, length);
            assertThatIllegalArgumentException().isThrownBy(() -> LogEntry.read(torn));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogEntry.read(ByteBuffer.wrap(Arrays.copyOf(entry, entry.length + 1))));
    }

    @Test
    void shouldRefuseAnEntryOfALaterVersion() {
        byte[] entry = LogEntry.ofCommands(List.of());
        entry[0]++;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogEntry.read(ByteBuffer.wrap(entry)))
                .withMessageContaining("version=2");
    }

    @Test
    void shouldReadEveryStateItWrites() {
        MetadataState state = metadata().state();

        MetadataState read = StateBytes.read(StateBytes.of(state));

        assertThat(read.groups()).isEqualTo(state.groups());
        assertThat(read.nodes()).isEqualTo(state.nodes());
        assertThat(read.submitted()).isEqualTo(state.submitted());
        assertThat(read.topology().nextQueueId()).isEqualTo(state.topology().nextQueueId());
        assertThat(StateBytes.of(read)).isEqualTo(StateBytes.of(state));
    }

    @Test
    void shouldGoOnFromAStateAsIfNothingHadHappened() {
        Metadata original = metadata();
        Metadata restored = Metadata.of(StateBytes.read(StateBytes.of(original.state())), NOBODY);

        for (Command command : commands()) {
            assertThat(restored.apply(command)).isEqualTo(original.apply(command));
        }
        assertThat(StateBytes.of(restored.state())).isEqualTo(StateBytes.of(original.state()));
    }

    @Test
    void shouldRefuseAStateWithAFlippedOrMissingByte() {
        byte[] bytes = StateBytes.of(metadata().state());

        for (int at = 0; at < bytes.length; at++) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= 0x10;
            byte[] torn = Arrays.copyOf(bytes, at);
            assertThatIllegalArgumentException().isThrownBy(() -> StateBytes.read(flipped));
            assertThatIllegalArgumentException().isThrownBy(() -> StateBytes.read(torn));
        }
    }

    @Test
    void shouldCutAStateIntoPartsAndPutThemTogether() {
        byte[] state = StateBytes.of(metadata().state());

        List<LogEntry.Part> parts = LogEntry.ofState(state, 100).stream()
                .map(entry -> (LogEntry.Part) LogEntry.read(ByteBuffer.wrap(entry)))
                .toList();

        ByteBuffer together = ByteBuffer.allocate(state.length);
        parts.forEach(part -> together.put(part.bytes()));
        assertThat(together.array()).isEqualTo(state);
        assertThat(parts)
                .extracting(LogEntry.Part::number)
                .isEqualTo(IntStream.range(0, parts.size()).boxed().toList());
        assertThat(parts).filteredOn(LogEntry.Part::isLast).containsExactly(parts.get(parts.size() - 1));
    }

    private static Metadata metadata() {
        Metadata metadata = new Metadata(new LogId(-3, List.of(1L, 2L), 1), NOBODY);
        metadata.apply(new Command.Nodes(Map.of("A", Change.up(1, "a:1"), "B", Change.up(2, "b:1"))));
        metadata.apply(new Command.Nodes(Map.of("C", Change.up(1, "c:1"))));
        metadata.apply(new Command.CreateGroup("q", true, 2, List.of("A", "B", "C")));
        metadata.apply(new Command.CreateGroup("transient", false, 1, List.of("B")));
        metadata.apply(new Command.Nodes(Map.of("A", Change.down(1))));
        metadata.apply(new Command.ForTopology(new Member("B", 2), 1, topology()));
        return metadata;
    }

    private static List<Command> commands() {
        List<Command> commands = new ArrayList<>();
        commands.add(new Command.Nodes(Map.of("A", Change.up(3, "a.example:1"), "Bücherei", Change.down(2))));
        commands.add(new Command.CreateGroup("other", true, 2, List.of("A", "B")));
        commands.add(new Command.DeleteGroup("other"));
        commands.add(new Command.Forget("b"));
        commands.add(new Command.Limit("q", 1));
        commands.add(new Command.MemberInSync(-3, List.of(CLAIM, CLAIM)));
        commands.add(new Command.MemberLagging(-3, List.of(CLAIM)));
        commands.add(new Command.Promote(-3, List.of(CLAIM)));
        commands.add(new Command.HandOver(-3, List.of(CLAIM)));
        commands.add(new Command.Members("q", List.of("B", "C")));
        commands.add(new Command.ForTopology(new Member("B", 2), 2, topology()));
        return commands;
    }

    private static List<io.warren.core.metadata.Command> topology() {
        FieldTable arguments = FieldTable.of(Map.of("x-max-length", 5, "x-match", "all"));
        return List.of(
                new PutVhost("v"),
                new DeclareExchange(
                        "v", new ExchangeDefinition("e", ExchangeType.TOPIC, true, false, false, FieldTable.EMPTY)),
                new DeclareQueue("v", new QueueDefinition("q", true, false, null, arguments)),
                new DeclareQueue("v", new QueueDefinition("mine", false, true, "connection", FieldTable.EMPTY)),
                new DeclareQueue("v", new QueueDefinition("gone", false, false, null, FieldTable.EMPTY)),
                new DeleteQueue("v", "gone", 3),
                new Bind("v", new Binding("e", Destination.queue("q"), "a.#", arguments)),
                new PutPolicy("v", new Policy("p", "^q", Policy.AppliesTo.ALL, 1, arguments)),
                new PutUser("u", PasswordHash.of("secret", 1), Set.of("administrator")),
                new SetPermission("u", "v", Permission.of(".*", "x", "")),
                new DeleteVhost("/"));
    }
}
