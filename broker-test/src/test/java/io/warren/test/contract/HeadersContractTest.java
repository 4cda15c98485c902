package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.headers;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which messages a headers exchange's binding arguments match. */
@Row("A2")
@Case("HD-01")
final class HeadersContractTest {

    private static Map<String, Object> voidArgument(String name, Object... further) {
        var arguments = new HashMap<String, Object>();
        arguments.put(name, null);
        for (int index = 0; index < further.length; index += 2) {
            arguments.put((String) further[index], further[index + 1]);
        }
        return Collections.unmodifiableMap(arguments);
    }

    private static boolean matches(Deployment broker, Map<String, Object> binding, Map<String, Object> message) {
        return matches(broker, binding, MessageProperties.none().headers(message));
    }

    private static boolean matches(Deployment broker, Map<String, Object> binding, MessageProperties message) {
        var channel = broker.channel();
        channel.exchangeDeclare(headers("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "", binding);
        channel.publish("x", "", message, "m");
        boolean matched = !channel.drain("q").isEmpty();
        channel.queueDelete("q");
        return matched;
    }

    @Contract
    void shouldNeedEveryHeaderWhenMatchIsAll(Deployment broker) {
        Map<String, Object> binding = Map.of("x-match", "all", "a", 1, "b", "two");

        assertThat(matches(broker, binding, Map.of("a", 1, "b", "two", "c", 3))).isTrue();
        assertThat(matches(broker, binding, Map.of("a", 1))).isFalse();
        assertThat(matches(broker, binding, Map.of("a", 1, "b", "three"))).isFalse();
    }

    @Contract
    void shouldNeedOneHeaderWhenMatchIsAny(Deployment broker) {
        Map<String, Object> binding = Map.of("x-match", "any", "a", 1, "b", "two");

        assertThat(matches(broker, binding, Map.of("a", 2, "b", "two"))).isTrue();
        assertThat(matches(broker, binding, Map.of("a", 2, "c", "two"))).isFalse();
    }

    @Contract
    void shouldNeedEveryHeaderWhenMatchIsNotGiven(Deployment broker) {
        assertThat(matches(broker, Map.of("a", 1, "b", 2), Map.of("a", 1))).isFalse();
        assertThat(matches(broker, Map.of("a", 1, "b", 2), Map.of("a", 1, "b", 2)))
                .isTrue();
    }

    @Contract
    void shouldMatchAnyValueWhenBindingValueIsVoid(Deployment broker) {
        assertThat(matches(broker, voidArgument("a"), Map.of("a", 5))).isTrue();
        assertThat(matches(broker, voidArgument("a"), Map.of("a", "text"))).isTrue();
        assertThat(matches(broker, voidArgument("a"), voidArgument("a"))).isTrue();
        assertThat(matches(broker, voidArgument("a"), Map.of("b", 5))).isFalse();
        assertThat(matches(broker, voidArgument("a", "x-match", "any", "b", 1), Map.of("a", 9)))
                .isTrue();
    }

    @Contract
    void shouldMatchEverythingOrNothingWhenBindingNamesNoHeader(Deployment broker) {
        assertThat(matches(broker, Map.of("x-match", "all"), Map.of("a", 1))).isTrue();
        assertThat(matches(broker, Map.of(), MessageProperties.none())).isTrue();
        assertThat(matches(broker, Map.of("x-match", "any"), Map.of("a", 1))).isFalse();
    }

    @Contract
    void shouldTreatMessageAsEmptyTableWhenItHasNoHeaders(Deployment broker) {
        assertThat(matches(broker, Map.of("x-match", "all", "a", 1), MessageProperties.none()))
                .isFalse();
        assertThat(matches(broker, Map.of("x-match", "any", "a", 1), MessageProperties.none()))
                .isFalse();
    }

    @Contract
    void shouldCompareByValueWhenTypesOfNumbersDiffer(Deployment broker) {
        assertThat(matches(broker, Map.of("a", 1), Map.of("a", 1L))).isTrue();
        assertThat(matches(broker, Map.of("a", (byte) 1), Map.of("a", (short) 1)))
                .isTrue();
        assertThat(matches(broker, Map.of("a", 1.5f), Map.of("a", 1.5d))).isTrue();
        assertThat(matches(broker, Map.of("a", 1), Map.of("a", "1"))).isFalse();
        assertThat(matches(broker, Map.of("a", 1), Map.of("a", 1.0d))).isTrue();
        assertThat(matches(broker, Map.of("a", 1), Map.of("a", 1.5d))).isFalse();
        assertThat(matches(broker, Map.of("a", true), Map.of("a", true))).isTrue();
        assertThat(matches(broker, Map.of("a", true), Map.of("a", 1))).isFalse();
    }

    @Contract
    void shouldSkipHeadersBeginningWithXWhenMatchIsAllOrAny(Deployment broker) {
        assertThat(matches(broker, Map.of("x-match", "all", "a", 1, "x-b", 2), Map.of("a", 1)))
                .isTrue();
        assertThat(matches(broker, Map.of("x-match", "any", "a", 1, "x-b", 2), Map.of("x-b", 2)))
                .isFalse();
    }

    @Contract
    void shouldCountHeadersBeginningWithXWhenMatchSaysSo(Deployment broker) {
        Map<String, Object> all = Map.of("x-match", "all-with-x", "a", 1, "x-b", 2);
        Map<String, Object> any = Map.of("x-match", "any-with-x", "a", 1, "x-b", 2);

        assertThat(matches(broker, all, Map.of("a", 1))).isFalse();
        assertThat(matches(broker, all, Map.of("a", 1, "x-b", 2))).isTrue();
        assertThat(matches(broker, any, Map.of("x-b", 2))).isTrue();
        assertThat(matches(broker, any, Map.of("x-b", 3))).isFalse();
    }

    @Contract
    void shouldRefuseBindingWhenMatchIsUnknown(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(headers("x"));
        channel.queueDeclare(queue("q"));

        Closure text = channel.refused(it -> it.queueBind("q", "x", "", Map.of("x-match", "zz")));
        Closure number = broker.channel().refused(it -> it.queueBind("q", "x", "", Map.of("x-match", 23)));

        assertThat(text)
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - Invalid x-match field value <<\"zz\">>; "
                                + "expected all, any, all-with-x, or any-with-x"));
        assertThat(number)
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - Invalid x-match field type signedint (value 23); expected longstr"));
    }

    @Contract
    void shouldCompareDeeplyWhenValuesAreListsTablesOrBytes(Deployment broker) {
        assertThat(matches(broker, Map.of("a", List.of(1, "b")), Map.of("a", List.of(1, "b"))))
                .isTrue();
        assertThat(matches(broker, Map.of("a", List.of(1, "b")), Map.of("a", List.of("b", 1))))
                .isFalse();
        assertThat(matches(broker, Map.of("a", Map.of("b", 1)), Map.of("a", Map.of("b", 1))))
                .isTrue();
        assertThat(matches(broker, Map.of("a", Map.of("b", 1)), Map.of("a", Map.of("b", 2))))
                .isFalse();
        assertThat(matches(broker, Map.of("a", new byte[] {1, 2}), Map.of("a", new byte[] {1, 2})))
                .isTrue();
        assertThat(matches(broker, Map.of("a", new byte[] {65}), Map.of("a", "A")))
                .isTrue();
        assertThat(matches(broker, Map.of("a", Instant.ofEpochSecond(5)), Map.of("a", Instant.ofEpochSecond(5))))
                .isTrue();
        assertThat(matches(broker, Map.of("a", Instant.ofEpochSecond(5)), Map.of("a", 5L)))
                .isTrue();
    }
}
