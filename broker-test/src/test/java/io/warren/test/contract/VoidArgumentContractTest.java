package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** An argument whose value is AMQP's void is there, and wrong: only an argument that is left out is left out. */
@Row("A5")
final class VoidArgumentContractTest {

    private static Closure refused(String text) {
        return Closure.channel(406, "PRECONDITION_FAILED - " + text);
    }

    private static Closure declared(Deployment broker, String argument) {
        return broker.channel().refused(it -> it.queueDeclare(queue("q").argument(argument, null)));
    }

    @Contract
    void shouldRefuseVoidWhenArgumentIsNumber(Deployment broker) {
        for (String argument :
                List.of("x-message-ttl", "x-expires", "x-max-length", "x-max-length-bytes", "x-max-priority")) {
            assertThat(declared(broker, argument))
                    .isEqualTo(refused("invalid arg '" + argument + "' for queue 'q' in vhost '" + broker.vhost()
                            + "': \"expected integer, got void\""));
        }
    }

    @Contract
    void shouldRefuseVoidWhenArgumentIsOfOtherType(Deployment broker) {
        for (String argument : List.of("x-overflow", "x-queue-mode", "x-single-active-consumer", "x-queue-type")) {
            assertThat(declared(broker, argument))
                    .isEqualTo(refused("invalid arg '" + argument + "' for queue 'q' in vhost '" + broker.vhost()
                            + "': {unacceptable_type,void}"));
        }
    }

    @Contract
    @Row("B3")
    void shouldRefuseVoidWhenArgumentIsDeadLetterExchange(Deployment broker) {
        assertThat(declared(broker, "x-dead-letter-exchange"))
                .isEqualTo(refused("invalid type 'void' for arg 'x-dead-letter-exchange' in queue 'q' in vhost '"
                        + broker.vhost() + "'"));
    }

    @Contract
    @Row("A4")
    void shouldRefuseVoidWhenArgumentIsAlternateExchange(Deployment broker) {
        Closure refusal = broker.channel()
                .refused(it -> it.exchangeDeclare(ExchangeSpec.direct("e").argument("alternate-exchange", null)));

        assertThat(refusal)
                .isEqualTo(refused("invalid type 'void' for arg 'alternate-exchange' in exchange 'e' in vhost '"
                        + broker.vhost() + "'"));
    }

    @Contract
    @Row("A9")
    void shouldRefuseConsumerWhenArgumentIsVoid(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));

        Closure priority =
                broker.channel().refused(it -> it.consume(ConsumeSpec.from("q").argument("x-priority", null)));
        Closure cancel = broker.channel()
                .refused(it -> it.consume(ConsumeSpec.from("q").argument("x-cancel-on-ha-failover", null)));

        String place = "' for queue 'q' in vhost '" + broker.vhost() + "': ";
        assertThat(priority).isEqualTo(refused("invalid arg 'x-priority" + place + "\"expected integer, got void\""));
        assertThat(cancel)
                .isEqualTo(refused("invalid arg 'x-cancel-on-ha-failover" + place + "{unacceptable_type,void}"));
    }
}
