package io.warren.mirroring.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.raft.LogPosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Node b of voters a, b and c, of which a leads, unless a test says otherwise. */
class CandidacyTest {
    private static final Set<String> ABC = Set.of("a", "b", "c");
    private static final LogPosition SHORT = new LogPosition(3, 40);
    private static final LogPosition LONG = new LogPosition(3, 41);

    private final List<String> caused = new ArrayList<>();
    private final Candidacy candidacy = candidacy("b");

    private Candidacy candidacy(String self) {
        return new Candidacy(self, new Candidacy.Output() {
            @Override
            public void ask(String voter, long question, String deadLeader) {
                caused.add("ask " + voter + " " + question);
            }

            @Override
            public void stand(String deadLeader) {
                caused.add("stand after " + deadLeader);
            }
        });
    }

    @Test
    void shouldStandWhenNobodyWhoIsLeftHoldsMore() {
        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);
        assertThat(caused).containsExactly("ask c 1");

        candidacy.onAnswer("c", 1, SHORT);

        assertThat(caused).containsExactly("ask c 1", "stand after a");
    }

    @Test
    void shouldLeaveItToWhoeverHoldsMore() {
        candidacy.onLeaderDead("a", ABC, Set.of("c"), SHORT);

        candidacy.onAnswer("c", 1, LONG);
        candidacy.onUnlinked("c");

        assertThat(caused).containsExactly("ask c 1");
    }

    @Test
    void shouldLeaveItToTheFirstByNameWhenBothHoldTheSame() {
        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);
        candidacy.onAnswer("c", 1, LONG);
        Candidacy other = candidacy("c");
        other.onLeaderDead("a", ABC, Set.of("b"), LONG);
        other.onAnswer("b", 1, LONG);

        assertThat(caused).containsExactly("ask c 1", "stand after a", "ask b 1");
    }

    @Test
    void shouldWaitForAllItIsLinkedWith() {
        candidacy.onLeaderDead("a", Set.of("a", "b", "c", "d", "e"), Set.of("c", "d"), LONG);

        candidacy.onAnswer("d", 1, LONG);
        assertThat(caused).containsExactlyInAnyOrder("ask c 1", "ask d 1");
        candidacy.onAnswer("c", 1, SHORT);

        assertThat(caused).endsWith("stand after a");
    }

    @Test
    void shouldWaitNoLongerForWhomTheLinkIsLostTo() {
        candidacy.onLeaderDead("a", Set.of("a", "b", "c", "d", "e"), Set.of("c", "d", "e"), LONG);

        candidacy.onAnswer("d", 1, SHORT);
        candidacy.onAnswer("c", 1, SHORT);
        candidacy.onUnlinked("e");

        assertThat(caused).endsWith("stand after a");
    }

    @Test
    void shouldNotStandWhereItCannotWin() {
        candidacy.onLeaderDead("a", ABC, Set.of(), LONG);
        candidacy.onLinked("a");
        candidacy.onLeaderDead("a", Set.of("a", "b"), Set.of(), LONG);

        assertThat(caused).isEmpty();
    }

    @Test
    void shouldNotStandWhenItDoesNotVote() {
        candidacy.onLeaderDead("a", Set.of("a", "c"), Set.of("c"), LONG);

        assertThat(caused).isEmpty();
    }

    @Test
    void shouldDealWithADeathOnceHoweverOftenItIsToldOfIt() {
        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);
        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);
        candidacy.onAnswer("c", 1, SHORT);

        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);

        assertThat(caused).containsExactly("ask c 1", "stand after a");
    }

    @Test
    void shouldNotStandWhenTheLeaderIsBackMeanwhile() {
        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);

        candidacy.onLinked("a");
        candidacy.onAnswer("c", 1, SHORT);

        assertThat(caused).containsExactly("ask c 1");
    }

    @Test
    void shouldAskVotersOnly() {
        candidacy.onLeaderDead("a", ABC, Set.of("c", "not-a-voter"), LONG);

        assertThat(caused).containsExactly("ask c 1");
    }

    @Test
    void shouldNotCountAnAnswerToAnEarlierQuestion() {
        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);
        candidacy.onLinked("a");
        candidacy.onLeaderDead("a", ABC, Set.of("c"), LONG);

        candidacy.onAnswer("c", 1, SHORT);
        assertThat(caused).containsExactly("ask c 1", "ask c 2");
        candidacy.onAnswer("c", 2, SHORT);
        candidacy.onAnswer("c", 2, SHORT);

        assertThat(caused).containsExactly("ask c 1", "ask c 2", "stand after a");
    }

    /** Voters that are all linked find the leader dead, or hear of it, whatever their copies hold: one of them stands. */
    @Test
    void shouldHaveExactlyOneCandidateInWhateverOrderTheDeathIsFound() {
        Random random = new Random(8);
        for (int round = 0; round < 2_000; round++) {
            int count = 3 + random.nextInt(5);
            Map<String, LogPosition> ends = new TreeMap<>();
            for (int voter = 1; voter < count; voter++) {
                ends.put("v" + voter, new LogPosition(2, random.nextInt(3)));
            }
            List<String> stood = play(ends, random);

            LogPosition last =
                    ends.values().stream().max(LogPosition::compareTo).orElseThrow();
            assertThat(stood).as("of %s", ends).hasSize(1);
            assertThat(ends.get(stood.get(0))).isEqualTo(last);
        }
    }

    private record Word(String from, String to, long question, boolean isAnswer) {}

    private static List<String> play(Map<String, LogPosition> ends, Random random) {
        Set<String> voters = new HashSet<>(ends.keySet());
        voters.add("v0");
        List<String> stood = new ArrayList<>();
        Map<String, Queue<Word>> underWay = new HashMap<>();
        Map<String, Candidacy> all = new HashMap<>();
        for (String voter : ends.keySet()) {
            all.put(voter, new Candidacy(voter, new Candidacy.Output() {
                @Override
                public void ask(String asked, long question, String deadLeader) {
                    say(underWay, new Word(voter, asked, question, false));
                }

                @Override
                public void stand(String deadLeader) {
                    stood.add(voter);
                }
            }));
        }
        List<String> unaware = new ArrayList<>(ends.keySet());
        while (!unaware.isEmpty() || underWay.values().stream().anyMatch(words -> !words.isEmpty())) {
            List<Queue<Word>> busy =
                    underWay.values().stream().filter(words -> !words.isEmpty()).toList();
            if (!unaware.isEmpty() && (busy.isEmpty() || random.nextBoolean())) {
                String voter = unaware.remove(random.nextInt(unaware.size()));
                all.get(voter).onLeaderDead("v0", voters, ends.keySet(), ends.get(voter));
                continue;
            }
            Word word = busy.get(random.nextInt(busy.size())).remove();
            if (word.isAnswer) {
                all.get(word.to).onAnswer(word.from, word.question, ends.get(word.from));
            } else {
                say(underWay, new Word(word.to, word.from, word.question, true));
                all.get(word.to).onLeaderDead("v0", voters, ends.keySet(), ends.get(word.to));
            }
        }
        return stood;
    }

    private static void say(Map<String, Queue<Word>> underWay, Word word) {
        underWay.computeIfAbsent(word.from + ">" + word.to, link -> new ArrayDeque<>())
                .add(word);
    }
}
