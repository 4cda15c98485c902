package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.group.Group;
import io.warren.mirroring.group.GroupOptions;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.group.RecordedGroup;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rings over TCP, with a proxy in every link. */
@Timeout(90)
class GroupsOverTcpTest {
    private static final List<Member> ABC = List.of(new Member("a", 1), new Member("b", 1), new Member("c", 1));

    private final LogLines log = new LogLines();
    private final List<TcpLinks<String>> links = new ArrayList<>();
    private final List<Groups<String>> groups = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();

    @BeforeEach
    void link() throws IOException {
        for (Member member : ABC) {
            TcpLinks<String> its = new TcpLinks<>(member, TcpNode.settings(), new Texts());
            Groups<String> ofNode = new Groups<>(member, its.executor());
            its.start(ofNode);
            for (TcpLinks<String> other : links) {
                String address = other.address();
                FaultProxy proxy = new FaultProxy(Integer.parseInt(address.substring(address.indexOf(':') + 1)));
                proxies.add(proxy);
                its.keep(other.self().node(), proxy.address());
            }
            links.add(its);
            groups.add(ofNode);
        }
    }

    @AfterEach
    void close() throws IOException {
        links.forEach(TcpLinks::close);
        for (FaultProxy proxy : proxies) {
            proxy.close();
        }
        log.close();
    }

    private List<Group<String>> open(String name, List<RecordedGroup> outputs) {
        List<Group<String>> members = new ArrayList<>();
        for (Groups<String> ofNode : groups) {
            RecordedGroup output = new RecordedGroup();
            outputs.add(output);
            Group<String> member = ofNode.open(name, 1, GroupOptions.inMemory(), new Log<>(), output);
            member.onView(new View(1, 1, 1, 0, 0, 2, true, ABC, List.of(), List.of()));
            members.add(member);
        }
        return members;
    }

    private void tick() {
        groups.forEach(ofNode -> ofNode.onTick(System.nanoTime()));
    }

    @Test
    void shouldDeliverEverythingInOneOrderWhenConnectionsKeepBreaking() {
        List<RecordedGroup> outputs = new ArrayList<>();
        List<Group<String>> members = open("q", outputs);

        for (int number = 0; number < 6_000; number++) {
            assertThat(members.get(number % 3).broadcast("m" + number, true, 100))
                    .isTrue();
            if (number % 1_500 == 700) {
                proxies.get(number % proxies.size()).dropAll();
            }
        }

        await().atMost(TcpNode.PATIENCE).until(() -> {
            tick();
            return outputs.stream().allMatch(output -> output.delivered().size() == 6_000);
        });
        assertThat(outputs.get(0).delivered()).doesNotHaveDuplicates();
        assertThat(outputs.get(1).delivered()).isEqualTo(outputs.get(0).delivered());
        assertThat(outputs.get(2).delivered()).isEqualTo(outputs.get(0).delivered());
    }

    @Test
    void shouldDeliverEntriesThatTravelInPieces() {
        List<RecordedGroup> outputs = new ArrayList<>();
        List<Group<String>> members = open("q", outputs);
        String large = "x".repeat(3 << 20);

        members.get(1).broadcast(large, true, large.length());
        members.get(2).broadcast("small", true, 5);

        await().atMost(TcpNode.PATIENCE).until(() -> outputs.stream()
                .allMatch(output -> output.delivered().size() == 2));
        assertThat(outputs.get(2).delivered()).containsExactlyInAnyOrder(large, "small");
    }

    @Test
    void shouldServeEveryGroupWhenThereAreMany() {
        List<List<RecordedGroup>> outputs = new ArrayList<>();
        List<List<Group<String>>> members = new ArrayList<>();
        for (int number = 0; number < 300; number++) {
            outputs.add(new ArrayList<>());
            members.add(open("q" + number, outputs.get(number)));
        }

        for (int round = 0; round < 10; round++) {
            for (List<Group<String>> group : members) {
                group.get(round % 3).broadcast("m" + round, true, 100);
            }
        }

        await().atMost(TcpNode.PATIENCE).until(() -> {
            tick();
            return outputs.stream()
                    .flatMap(List::stream)
                    .allMatch(output -> output.delivered().size() == 10);
        });
    }
}
