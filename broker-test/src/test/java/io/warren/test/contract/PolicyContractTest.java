package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.fanout;
import static io.warren.test.contract.Policy.forExchanges;
import static io.warren.test.contract.Policy.forQueues;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;

/** Which policy applies to an object, and how it combines with the object's own arguments. */
@Row("C3")
@Row("A5")
final class PolicyContractTest {

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-01")
    void shouldApplyOnlyHighestPriorityWhenSeveralPoliciesMatch(Deployment broker) {
        var administration = broker.administration();
        administration.setPolicy(forQueues("low", "^q", Map.of("max-length", 1)).priority(1));
        administration.setPolicy(
                forQueues("high", "^q", Map.of("overflow", "reject-publish")).priority(2));
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        broker.send("q", "1", "2", "3");

        assertThat(channel.drain("q")).containsExactly("1", "2", "3");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-01")
    void shouldTakeLowerLimitWhenOperatorPolicyHasOneToo(Deployment broker) {
        var administration = broker.administration();
        administration.setPolicy(forQueues("user", "^q", Map.of("max-length", 3, "overflow", "reject-publish")));
        administration.setOperatorPolicy(forQueues("operator", "^q", Map.of("max-length", 2)));
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.queueDeclare(queue("q-short").argument("x-max-length", 1));

        broker.send("q", "1", "2", "3", "4");
        broker.send("q-short", "1", "2");
        administration.clearOperatorPolicy("operator");
        broker.send("q", "5", "6");

        assertThat(channel.drain("q-short")).containsExactly("1");
        assertThat(channel.drain("q")).containsExactly("1", "2", "5");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-01")
    void shouldApplyOperatorPolicyWhenThereIsNoOther(Deployment broker) {
        broker.administration().setOperatorPolicy(forQueues("operator", "^q", Map.of("max-length", 1)));
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        broker.send("q", "1", "2");

        assertThat(channel.drain("q")).containsExactly("2");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-02")
    void shouldMatchAnywhereInNameWhenPatternIsNotAnchored(Deployment broker) {
        var administration = broker.administration();
        var channel = broker.channel();
        channel.queueDeclare(queue("hotdog"));
        administration.setPolicy(forQueues("policy", "dog", Map.of("max-length", 1)));
        channel.queueDeclare(queue("dog"));
        channel.queueDeclare(queue("cat"));

        for (String name : new String[] {"hotdog", "dog", "cat"}) {
            broker.send(name, "1", "2");
        }

        assertThat(channel.drain("hotdog")).containsExactly("2");
        assertThat(channel.drain("dog")).containsExactly("2");
        assertThat(channel.drain("cat")).containsExactly("1", "2");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-02")
    void shouldMatchWholeNameWhenPatternIsAnchored(Deployment broker) {
        broker.administration().setPolicy(forQueues("policy", "^dog$", Map.of("max-length", 1)));
        var channel = broker.channel();
        channel.queueDeclare(queue("hotdog"));
        channel.queueDeclare(queue("dog"));

        broker.send("hotdog", "1", "2");
        broker.send("dog", "1", "2");

        assertThat(channel.drain("hotdog")).containsExactly("1", "2");
        assertThat(channel.drain("dog")).containsExactly("2");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-02")
    @Row("B5")
    void shouldApplyToExistingQueueAndRevertWhenPolicyIsRemoved(Deployment broker) {
        var administration = broker.administration();
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1", "2", "3");

        administration.setPolicy(forQueues("policy", "^q$", Map.of("max-length", 2)));
        channel.awaitReady("q", 2);
        administration.setPolicy(forQueues("policy", "^q$", Map.of("max-length", 1)));
        channel.awaitReady("q", 1);
        administration.clearPolicy("policy");
        broker.send("q", "4", "5");

        assertThat(channel.drain("q")).containsExactly("3", "4", "5");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-02")
    @Row("B3")
    void shouldPreferQueuesArgumentWhenPolicyNamesDeadLetterExchangeToo(Deployment broker) {
        broker.administration()
                .setPolicy(forQueues(
                        "policy", "^q", Map.of("dead-letter-exchange", "", "dead-letter-routing-key", "by-policy")));
        var channel = broker.channel();
        channel.queueDeclare(queue("by-policy"));
        channel.queueDeclare(queue("by-argument"));
        channel.queueDeclare(queue("q1"));
        channel.queueDeclare(queue("q2").deadLetterTo("by-argument"));
        broker.send("q1", "1");
        broker.send("q2", "2");

        channel.reject(channel.get("q1").tag(), false);
        channel.reject(channel.get("q2").tag(), false);

        assertThat(channel.awaitMessage("by-policy").text()).isEqualTo("1");
        assertThat(channel.awaitMessage("by-argument").text()).isEqualTo("2");
        assertThat(channel.drain("by-policy")).isEmpty();
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-02")
    @Row("B5")
    void shouldTakeLowerLimitWhenArgumentAndPolicyHaveOne(Deployment broker) {
        broker.administration().setPolicy(forQueues("policy", "^q", Map.of("max-length", 2)));
        var channel = broker.channel();
        channel.queueDeclare(queue("q1").argument("x-max-length", 1));
        channel.queueDeclare(queue("q3").argument("x-max-length", 3));

        broker.send("q1", "1", "2", "3");
        broker.send("q3", "1", "2", "3");

        assertThat(channel.drain("q1")).containsExactly("3");
        assertThat(channel.drain("q3")).containsExactly("2", "3");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Row("A4")
    void shouldGiveExchangeAnAlternateWhenPolicySaysSo(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("alternate"));
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("spare"));
        channel.queueBind("spare", "alternate", "");

        broker.publish("x", "k", "1");
        broker.administration().setPolicy(forExchanges("policy", "^x$", Map.of("alternate-exchange", "alternate")));
        broker.publish("x", "k", "2");
        broker.administration().clearPolicy("policy");
        broker.publish("x", "k", "3");

        assertThat(channel.drain("spare")).containsExactly("2");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldLeaveQueueAloneWhenPolicyIsForExchanges(Deployment broker) {
        broker.administration()
                .setPolicy(new Policy("policy", "^q", "exchanges", 0, Map.of("alternate-exchange", "x")));
        broker.administration().setPolicy(forQueues("other", "^nothing", Map.of("max-length", 1)));
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        broker.send("q", "1", "2");

        assertThat(channel.drain("q")).containsExactly("1", "2");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Row("B2")
    void shouldExpireQueueWhenPolicySaysSo(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        broker.administration().setPolicy(forQueues("policy", "^q$", Map.of("expires", 100)));
        broker.advanceMillis(150);

        assertThat(channel.refused(it -> it.queueDeclarePassive("q")))
                .isEqualTo(QueueContractTest.noQueue(broker, "q"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Row("B1")
    void shouldExpireMessagesPublishedUnderPolicyWhenItBringsTime(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.administration().setPolicy(forQueues("policy", "^q$", Map.of("message-ttl", 100)));
        broker.send("q", "1");

        broker.advanceMillis(120);

        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldAcceptDeclarationWhenOnlyPolicyDiffers(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-max-length", 5));
        broker.administration().setPolicy(forQueues("policy", "^q$", Map.of("max-length", 2)));

        channel.queueDeclare(queue("q").argument("x-max-length", 5));

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Row("B1")
    void shouldLeaveWaitingMessagesAloneWhenPolicyBringsTimeLater(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "before");
        broker.administration().setPolicy(forQueues("policy", "^q$", Map.of("message-ttl", 100)));
        broker.send("q", "under");

        broker.advanceMillis(120);

        assertThat(channel.drain("q")).containsExactly("before");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PL-01")
    void shouldReplacePolicyWhenItIsSetAgain(Deployment broker) {
        broker.administration().setPolicy(forQueues("policy", "^q$", Map.of("max-length", 1)));
        broker.administration().setPolicy(new Policy("policy", "^r$", "all", 3, Map.of("max-length", 2)));
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.queueDeclare(queue("r"));

        broker.send("q", "1", "2", "3");
        broker.send("r", "1", "2", "3");

        assertThat(channel.drain("q")).containsExactly("1", "2", "3");
        assertThat(channel.drain("r")).containsExactly("2", "3");
    }

    /** T16 of the mirroring scenarios. */
    @Contract(needs = Capability.ADMINISTRATION)
    void shouldRefusePolicyAboutMirroringWhenItMeansNothing(Deployment broker) {
        refused(broker, Map.of("ha-params", 2), "ha-mode must be specified to specify ha-params");
        refused(broker, Map.of("ha-mode", "some"), "\"some\"", " is not a valid ha-mode value");
        refused(broker, Map.of("ha-mode", "all", "ha-params", 2), "ha-mode=\"all\" does not take parameters");
        refused(broker, Map.of("ha-mode", "exactly"), "ha-mode=\"exactly\" takes an integer, none given");
        refused(broker, Map.of("ha-mode", "exactly", "ha-params", "2"), "ha-mode=\"exactly\" takes an integer, ");
        refused(broker, Map.of("ha-mode", "nodes", "ha-params", List.of()), "list must be non-empty");
        refused(broker, Map.of("ha-mode", "nodes", "ha-params", "a"), "ha-mode=\"nodes\" takes a list, ");
        refused(
                broker,
                Map.of("ha-mode", "nodes", "ha-params", List.of("a", 1)),
                "ha-mode=\"nodes\" takes a list of strings, [1] was not a string");
        refused(
                broker,
                Map.of("ha-mode", "all", "ha-sync-mode", "auto"),
                "ha-sync-mode must be \"manual\" or \"automatic\", got ");
        refused(
                broker,
                Map.of("ha-mode", "all", "ha-promote-on-failure", "never"),
                "ha-promote-on-failure must be \"always\" or \"when-synced\", got ");
        refused(
                broker,
                Map.of("queue-master-locator", "nowhere"),
                "\"nowhere\"",
                " invalid queue-master-locator value");
        assertThatThrownBy(() -> broker.administration()
                        .setOperatorPolicy(forQueues("operator", "^q", Map.of("ha-mode", "all"))))
                .hasMessageContaining("recognised");
    }

    private static void refused(Deployment broker, Map<String, Object> definition, String... words) {
        assertThatThrownBy(() -> broker.administration().setPolicy(forQueues("policy", "^q", definition)))
                .hasMessageContainingAll(words);
    }
}
