package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.topic;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/** Which routing keys a topic exchange's binding keys match. */
@Row("A2")
final class TopicContractTest {

    /** The keys, of those given, that reach a queue bound with the pattern. */
    private static List<String> matched(Deployment broker, String pattern, String... keys) {
        var channel = broker.channel();
        channel.exchangeDeclare(topic("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", pattern);
        Arrays.stream(keys).forEach(key -> channel.publish("x", key, key));
        List<String> arrived = channel.drain("q");
        channel.queueUnbind("q", "x", pattern);
        return arrived;
    }

    @Contract
    @Case("TP-01")
    void shouldMatchZeroWordsWhenHashEndsPattern(Deployment broker) {
        assertThat(matched(broker, "a.#", "a", "a.b", "a.b.c", "b", "ab", "")).containsExactly("a", "a.b", "a.b.c");
        assertThat(matched(broker, "a.*.c.#", "a.b.c", "a.b.c.d", "a.c", "a.b")).containsExactly("a.b.c", "a.b.c.d");
        assertThat(matched(broker, "#", "", "a", "a.b", ".")).containsExactly("", "a", "a.b", ".");
    }

    @Contract
    @Case("TP-01")
    void shouldTakeDotLiterallyWhenPatternHasNoWildcard(Deployment broker) {
        assertThat(matched(broker, "a.b", "a.b", "axb", "a.b.", "a")).containsExactly("a.b");
    }

    @Contract
    @Case("TP-02")
    void shouldMatchAnyNumberOfWordsWhenHashIsInTheMiddle(Deployment broker) {
        assertThat(matched(broker, "a.#.b", "a.b", "a.x.b", "a.x.y.b", "a..b", "ab", "a.b.c"))
                .containsExactly("a.b", "a.x.b", "a.x.y.b", "a..b");
        assertThat(matched(broker, "#.b.#", "b", "a.b", "b.c", "a.b.c", "a.bc"))
                .containsExactly("b", "a.b", "b.c", "a.b.c");
        assertThat(matched(broker, "#.#", "", "a", "a.b.c")).containsExactly("", "a", "a.b.c");
        assertThat(matched(broker, "*.#", "", "a", "a.b", ".")).containsExactly("a", "a.b", ".");
    }

    @Contract
    @Case("TP-02")
    void shouldMatchExactlyOneWordWhenPatternHasStar(Deployment broker) {
        assertThat(matched(broker, "a.*", "a", "a.b", "a.", "a.b.c")).containsExactly("a.b", "a.");
        assertThat(matched(broker, "*", "", "a", "a.b", "*")).containsExactly("a", "*");
        assertThat(matched(broker, "*.*", ".", "a.b", "a", "a.b.c")).containsExactly(".", "a.b");
        assertThat(matched(broker, "a.*.b", "a..b", "a.x.b", "a.b")).containsExactly("a..b", "a.x.b");
    }

    @Contract
    void shouldTakeWildcardLiterallyWhenItIsPartOfWord(Deployment broker) {
        assertThat(matched(broker, "a*.b#", "a*.b#", "ax.by", "a.b")).containsExactly("a*.b#");
    }

    @Contract
    @Case("TP-03")
    void shouldKeepEmptyKeyToItsExchangeWhenAnotherHasTheSameBinding(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(topic("x"));
        channel.exchangeDeclare(topic("y"));
        channel.queueDeclare(queue("of-x"));
        channel.queueDeclare(queue("of-y"));
        channel.queueBind("of-x", "x", "");
        channel.queueBind("of-y", "y", "");

        channel.publish("x", "", "1");

        assertThat(channel.drain("of-x")).containsExactly("1");
        assertThat(channel.drain("of-y")).isEmpty();
    }

    @Contract
    @Case("TP-03")
    void shouldMatchEmptyKeyOnlyWhenBindingIsEmpty(Deployment broker) {
        assertThat(matched(broker, "", "", "a", ".")).containsExactly("");
    }

    @Contract
    void shouldGoOnMatchingOthersWhenOneOfSeveralPatternsIsRemoved(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(topic("x"));
        channel.queueDeclare(queue("q"));
        for (String pattern : List.of("a.b", "a.*", "a.#", "a.b.c")) {
            channel.queueBind("q", "x", pattern);
        }

        channel.queueUnbind("q", "x", "a.#");
        channel.queueUnbind("q", "x", "a.b");
        for (String key : List.of("a.b", "a.b.c", "a", "a.b.c.d")) {
            channel.publish("x", key, key);
        }

        assertThat(channel.drain("q")).containsExactly("a.b", "a.b.c");
    }
}
