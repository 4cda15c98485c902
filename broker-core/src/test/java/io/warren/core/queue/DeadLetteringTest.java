package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeadLetteringTest {

    private static final Instant NOW = Instant.parse("2024-05-06T07:08:09.987Z");
    private static final Instant NOW_IN_SECONDS = Instant.parse("2024-05-06T07:08:09Z");

    private static Message message(Properties properties) {
        return Message.owning("orders", "key", properties, new byte[] {1, 2, 3});
    }

    private static Message die(Message message, DeathReason reason, String queue) {
        return DeadLettering.deadLetter(message, reason, queue, "dlx", null, NOW);
    }

    private static Message withDeaths(Object deaths) {
        return message(Properties.builder().header("x-death", deaths).build());
    }

    private static Map<String, Object> death(String queue, String reason, Object count) {
        Map<String, Object> death = new LinkedHashMap<>();
        death.put("count", count);
        death.put("reason", reason);
        death.put("queue", queue);
        return death;
    }

    private static Object deaths(Message dead) {
        return dead.properties().headersOrEmpty().get("x-death");
    }

    @Test
    void shouldTellWhereAndWhyWhenMessageDiesFirst() {
        Message dead = die(message(Properties.builder().header("mine", 1).build()), DeathReason.REJECTED, "q1");

        Map<String, Object> death = new LinkedHashMap<>();
        death.put("count", 1L);
        death.put("reason", "rejected");
        death.put("queue", "q1");
        death.put("time", NOW_IN_SECONDS);
        death.put("exchange", "orders");
        death.put("routing-keys", List.of("key"));
        assertThat(dead.exchange()).isEqualTo("dlx");
        assertThat(dead.routingKey()).isEqualTo("key");
        assertThat(dead.body()).containsExactly(1, 2, 3);
        FieldTable headers = dead.properties().headersOrEmpty();
        assertThat(headers.get("mine")).isEqualTo(1);
        assertThat(headers.get("x-first-death-reason")).isEqualTo("rejected");
        assertThat(headers.get("x-first-death-queue")).isEqualTo("q1");
        assertThat(headers.get("x-first-death-exchange")).isEqualTo("orders");
        assertThat(headers.get("x-death")).isEqualTo(List.of(death));
        assertThat(headers.asMap()).hasSize(5);
    }

    @Test
    void shouldNameReasonsAsRabbitDoesWhenAsked() {
        assertThat(DeathReason.values())
                .extracting(DeathReason::headerValue)
                .containsExactly("rejected", "expired", "maxlen");
    }

    @Test
    void shouldTakeExpirationOffAndTellItWhenMessageHadOne() {
        Message dead = die(
                message(Properties.builder().expiration("50").messageId("id").build()), DeathReason.EXPIRED, "q1");

        assertThat(dead.properties().expiration()).isNull();
        assertThat(dead.properties().messageId()).isEqualTo("id");
        assertThat((List<?>) deaths(dead))
                .first()
                .extracting("original-expiration")
                .isEqualTo("50");
    }

    @Test
    void shouldGoWithNewKeyAndWithoutCopiesWhenKeyIsSet() {
        Message message = message(
                        Properties.builder().header("CC", List.of("copy")).build())
                .withBlindRoutingKeys(
                        List.of("blind"),
                        Properties.builder().header("CC", List.of("copy")).build());

        Message dead = DeadLettering.deadLetter(message, DeathReason.MAXLEN, "q1", "dlx", "dead", NOW);

        assertThat(dead.routingKey()).isEqualTo("dead");
        assertThat(dead.properties().headersOrEmpty().has("CC")).isFalse();
        assertThat(dead.blindRoutingKeys()).isEmpty();
        assertThat((List<?>) deaths(dead)).first().extracting("routing-keys").isEqualTo(List.of("key", "copy"));
    }

    @Test
    void shouldKeepItsKeysWhenNoKeyIsSet() {
        Properties properties =
                Properties.builder().header("CC", List.of("copy")).build();
        Message message = message(properties).withBlindRoutingKeys(List.of("blind"), properties);

        Message dead = die(message, DeathReason.MAXLEN, "q1");

        assertThat(dead.routingKey()).isEqualTo("key");
        assertThat(dead.properties().headersOrEmpty().get("CC")).isEqualTo(List.of("copy"));
        assertThat(dead.blindRoutingKeys()).containsExactly("blind");
    }

    @Test
    void shouldCountUpWhenItDiesOfTheSameReasonInTheSameQueue() {
        Message once = die(message(Properties.NONE), DeathReason.EXPIRED, "q1");

        Message twice = DeadLettering.deadLetter(once, DeathReason.EXPIRED, "q1", "dlx", "other", NOW.plusSeconds(60));

        assertThat((List<?>) deaths(twice)).hasSize(1);
        Map<?, ?> death = (Map<?, ?>) ((List<?>) deaths(twice)).get(0);
        assertThat((Object) death.get("count")).isEqualTo(2L);
        assertThat((Object) death.get("time")).isEqualTo(NOW_IN_SECONDS);
        assertThat((Object) death.get("exchange")).isEqualTo("orders");
        assertThat((Object) death.get("routing-keys")).isEqualTo(List.of("key"));
        assertThat(twice.properties().headersOrEmpty().get("x-first-death-exchange"))
                .isEqualTo("orders");
    }

    @Test
    void shouldPutLatestFirstWhenItDiesElsewhereOrOtherwise() {
        Message first = die(message(Properties.NONE), DeathReason.EXPIRED, "q1");

        Message second = die(first, DeathReason.REJECTED, "q1");
        Message third = die(second, DeathReason.REJECTED, "q2");

        assertThat((List<?>) deaths(second))
                .extracting("queue", "reason")
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("q1", "rejected"),
                        org.assertj.core.groups.Tuple.tuple("q1", "expired"));
        assertThat((List<?>) deaths(third)).first().extracting("queue").isEqualTo("q2");
        assertThat((List<?>) deaths(third)).hasSize(3);
        FieldTable headers = third.properties().headersOrEmpty();
        assertThat(headers.get("x-first-death-queue")).isEqualTo("q1");
        assertThat(headers.get("x-first-death-reason")).isEqualTo("expired");
    }

    @Test
    void shouldTurnEarlierOnesRoundWhenItDiesAgain() {
        Message message =
                withDeaths(List.of(death("c", "expired", 1L), death("b", "expired", 2L), death("a", "expired", 3L)));

        Message dead = die(message, DeathReason.EXPIRED, "b");

        assertThat((List<?>) deaths(dead)).extracting("queue").containsExactly("b", "a", "c");
        assertThat((List<?>) deaths(dead)).extracting("count").containsExactly(3L, 3L, 1L);
    }

    @Test
    void shouldCountRepetitionsWhenEarlierDeathsHaveNoCount() {
        Map<String, Object> bare = Map.of("queue", "a", "reason", "expired");
        Map<String, Object> other = Map.of("queue", "b", "reason", "maxlen");

        Message dead = die(withDeaths(List.of(bare, other, bare, bare)), DeathReason.EXPIRED, "a");

        assertThat((List<?>) deaths(dead)).extracting("queue").containsExactly("a", "b");
        assertThat((List<?>) deaths(dead)).extracting("count").containsExactly(4L, 1L);
    }

    @Test
    void shouldCountOnWhenClientSentOtherIntegers() {
        Message dead = die(withDeaths(List.of(death("a", "expired", 4))), DeathReason.EXPIRED, "a");

        assertThat((List<?>) deaths(dead)).extracting("count").containsExactly(5L);
    }

    @Test
    void shouldStartFromNothingWhenClientSentNoNumber() {
        Message dead = die(withDeaths(List.of(death("a", "expired", "many"))), DeathReason.EXPIRED, "a");

        assertThat((List<?>) deaths(dead)).extracting("count").containsExactly(1L);
    }

    @Test
    void shouldReplaceHeaderWhenClientSentNoList() {
        Message dead = die(withDeaths("nonsense"), DeathReason.EXPIRED, "a");

        assertThat((List<?>) deaths(dead)).extracting("queue").containsExactly("a");
        assertThat(dead.properties().headersOrEmpty().has("x-first-death-queue"))
                .isFalse();
    }

    @Test
    void shouldLeaveOutWhatIsNoTableWhenClientSentIt() {
        Message dead = die(withDeaths(List.of("nonsense", death("b", "expired", 1L))), DeathReason.EXPIRED, "a");

        assertThat((List<?>) deaths(dead)).extracting("queue").containsExactly("a", "b");
    }

    @Test
    void shouldSeeCycleWhenItReturnsToAQueueItExpiredIn() {
        Message dead = die(die(message(Properties.NONE), DeathReason.EXPIRED, "q1"), DeathReason.MAXLEN, "q2");

        assertThat(DeadLettering.isCycle(dead, DeathReason.MAXLEN, "q1")).isTrue();
        assertThat(DeadLettering.isCycle(dead, DeathReason.MAXLEN, "q2")).isTrue();
        assertThat(DeadLettering.isCycle(dead, DeathReason.MAXLEN, "q3")).isFalse();
    }

    @Test
    void shouldSeeNoCycleWhenItWasRejectedLast() {
        Message dead = die(die(message(Properties.NONE), DeathReason.EXPIRED, "q1"), DeathReason.REJECTED, "q2");

        assertThat(DeadLettering.isCycle(dead, DeathReason.REJECTED, "q1")).isFalse();
    }

    @Test
    void shouldSeeNoCycleWhenARejectionLiesBetween() {
        Message dead = withDeaths(
                List.of(death("q3", "expired", 1L), death("q2", "rejected", 1L), death("q1", "expired", 1L)));

        assertThat(DeadLettering.isCycle(dead, DeathReason.EXPIRED, "q1")).isFalse();
        assertThat(DeadLettering.isCycle(dead, DeathReason.EXPIRED, "q2")).isFalse();
        assertThat(DeadLettering.isCycle(dead, DeathReason.EXPIRED, "q3")).isTrue();
    }

    /** Observed with 3.10.8: the header's order, turned round at the second death, hides the rejection. */
    @Test
    void shouldSeeCycleWhenHeaderTellsTheRejectionBehindTheQueue() {
        Message dead = die(
                die(die(message(Properties.NONE), DeathReason.EXPIRED, "q1"), DeathReason.REJECTED, "q2"),
                DeathReason.EXPIRED,
                "q3");

        assertThat((List<?>) deaths(dead)).extracting("queue").containsExactly("q3", "q1", "q2");
        assertThat(DeadLettering.isCycle(dead, DeathReason.EXPIRED, "q1")).isTrue();
        assertThat(DeadLettering.isCycle(dead, DeathReason.EXPIRED, "q2")).isFalse();
    }

    @Test
    void shouldSeeNoCycleWhenMessageTellsNoDeaths() {
        assertThat(DeadLettering.isCycle(message(Properties.NONE), DeathReason.EXPIRED, "q1"))
                .isFalse();
        assertThat(DeadLettering.isCycle(withDeaths("nonsense"), DeathReason.EXPIRED, "q1"))
                .isFalse();
        assertThat(DeadLettering.isCycle(withDeaths(List.of("nonsense")), DeathReason.EXPIRED, "q1"))
                .isFalse();
    }
}
