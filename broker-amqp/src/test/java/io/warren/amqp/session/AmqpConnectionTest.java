package io.warren.amqp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.amqp.content.FieldTableCodec;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConfirmMethod;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.ExchangeMethod;
import io.warren.amqp.method.Method;
import io.warren.amqp.method.QueueMethod;
import io.warren.amqp.session.RecordingOutput.Sent;
import io.warren.amqp.session.RecordingOutput.SentContent;
import io.warren.core.Broker;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.spi.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection by lists of effects, over a broker that one thread runs. */
final class AmqpConnectionTest {

    private static final FieldTable CAPABLE = FieldTable.of(Map.of(
            "capabilities",
            Map.of("authentication_failure_close", true, "consumer_cancel_notify", true, "connection.blocked", true)));

    private final Broker broker = Broker.builder().seed(1).start();
    private final RecordingOutput output = new RecordingOutput();
    private final Queue<Runnable> inbox = new ArrayDeque<>();
    private AmqpConnection connection = connection(SessionSettings.DEFAULT, true);

    @AfterEach
    void close() {
        broker.close();
    }

    private AmqpConnection connection(SessionSettings settings, boolean isLocal) {
        return new AmqpConnection(
                settings,
                broker.sessions(),
                new Peer("test", isLocal, "10.0.0.7", 50_123, "10.0.0.1", 5_672, false),
                FieldTableCodec::readFields,
                output,
                inbox::add);
    }

    /** Lets the broker do what there is to do and the connection hear of it. */
    private List<Object> effects() {
        broker.runDue();
        while (!inbox.isEmpty()) {
            inbox.remove().run();
            broker.runDue();
        }
        connection.onBatchEnd();
        return output.take();
    }

    private List<Object> on(int channel, Method method) {
        connection.onMethod(channel, method);
        return effects();
    }

    private static ConnectionMethod.StartOk login(FieldTable properties, String user, String password) {
        return new ConnectionMethod.StartOk(
                properties, "PLAIN", SaslMechanism.bytes("\0" + user + "\0" + password), "en_US");
    }

    private void open() {
        connection.onStart(null);
        on(0, login(CAPABLE, "guest", "guest"));
        on(0, new ConnectionMethod.TuneOk(2_047, 131_072, 60));
        on(0, new ConnectionMethod.Open("/"));
        on(1, new ChannelMethod.Open());
    }

    private void declare(String queue) {
        on(1, new QueueMethod.Declare(queue, false, false, false, false, false, FieldTable.EMPTY));
    }

    private void publish(String exchange, String key, boolean mandatory, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        connection.onMethod(1, new BasicMethod.Publish(exchange, key, mandatory, false));
        connection.onHeader(1, BasicMethod.CLASS_ID, body.length, Properties.NONE);
        if (body.length > 0) {
            connection.onBody(1, body);
        }
    }

    private static Sent connectionClose(int code, String text, int classId, int methodId) {
        return new Sent(0, new ConnectionMethod.Close(code, text, classId, methodId));
    }

    // ---- handshake

    @Test
    void shouldOpenWhenLoginAndLimitsAreFine() {
        connection.onStart(null);
        List<Object> started = effects();
        List<Object> loggedIn = on(0, login(CAPABLE, "guest", "guest"));
        List<Object> tuned = on(0, new ConnectionMethod.TuneOk(100, 4_096, 5));
        List<Object> opened = on(0, new ConnectionMethod.Open("/"));

        assertThat(started).singleElement().isInstanceOfSatisfying(Sent.class, sent -> assertThat(sent.method())
                .isInstanceOf(ConnectionMethod.Start.class));
        assertThat(loggedIn).containsExactly(new Sent(0, new ConnectionMethod.Tune(2_047, 131_072, 60)));
        assertThat(tuned).containsExactly("tuned 4096 5");
        assertThat(opened).containsExactly(new Sent(0, new ConnectionMethod.OpenOk()));
    }

    @Test
    void shouldSayWhyLoginFailedWhenClientCanHearIt() {
        connection.onStart(null);
        effects();

        List<Object> refused = on(0, login(CAPABLE, "guest", "wrong"));

        assertThat(refused)
                .containsExactly(
                        connectionClose(
                                403,
                                "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN."
                                        + " For details see the broker logfile.",
                                0,
                                0),
                        "close");
    }

    @Test
    void shouldCloseInSilenceWhenClientCannotHearWhyLoginFailed() {
        connection.onStart(null);
        effects();

        assertThat(on(0, login(FieldTable.EMPTY, "guest", "wrong"))).containsExactly("close");
    }

    @Test
    void shouldRefuseGuestWhenClientIsElsewhere() {
        connection = connection(SessionSettings.DEFAULT, false);
        connection.onStart(null);
        effects();

        assertThat(on(0, login(FieldTable.EMPTY, "guest", "guest"))).containsExactly("close");
    }

    @Test
    void shouldLogInWithAmqplainWhenClientSendsTable() {
        byte[] fields = {
            5, 'L', 'O', 'G', 'I', 'N', 'S', 0, 0, 0, 5, 'g', 'u', 'e', 's', 't', 8, 'P', 'A', 'S', 'S', 'W', 'O', 'R',
            'D', 'S', 0, 0, 0, 5, 'g', 'u', 'e', 's', 't'
        };
        connection.onStart(null);
        effects();

        List<Object> loggedIn =
                on(0, new ConnectionMethod.StartOk(CAPABLE, "AMQPLAIN", java.nio.ByteBuffer.wrap(fields), "en_US"));

        assertThat(loggedIn).containsExactly(new Sent(0, new ConnectionMethod.Tune(2_047, 131_072, 60)));
    }

    @Test
    void shouldAskForPasswordWhenMechanismHasTwoSteps() {
        SessionSettings settings = new SessionSettings(
                Identity.DEFAULT,
                List.of(SaslMechanism.RABBIT_CR_DEMO),
                131_072,
                2_047,
                60,
                1 << 20,
                java.util.Set.of());
        connection = connection(settings, true);
        connection.onStart(null);
        effects();

        List<Object> asked =
                on(0, new ConnectionMethod.StartOk(CAPABLE, "RABBIT-CR-DEMO", SaslMechanism.bytes("guest"), "en_US"));
        List<Object> answered = on(0, new ConnectionMethod.SecureOk(SaslMechanism.bytes("My password is guest")));

        assertThat(asked)
                .containsExactly(
                        new Sent(0, new ConnectionMethod.Secure(SaslMechanism.bytes("Please tell me your password"))));
        assertThat(answered).containsExactly(new Sent(0, new ConnectionMethod.Tune(2_047, 131_072, 60)));
    }

    private String mechanismsOfferedTo(String certificateUser) {
        SessionSettings settings = new SessionSettings(
                Identity.DEFAULT,
                List.of(SaslMechanism.PLAIN, SaslMechanism.EXTERNAL),
                131_072,
                2_047,
                60,
                1 << 20,
                java.util.Set.of());
        connection = connection(settings, true);
        connection.onStart(certificateUser);
        Sent start = (Sent) effects().get(0);
        return SaslMechanism.text(((ConnectionMethod.Start) start.method()).mechanisms());
    }

    @Test
    void shouldOfferLoginByCertificateOnlyWhenClientHasShownOne() {
        assertThat(mechanismsOfferedTo(null)).isEqualTo("PLAIN");
        assertThat(mechanismsOfferedTo("guest")).isEqualTo("PLAIN EXTERNAL");
    }

    @Test
    void shouldRefuseLoginByCertificateWhenClientHasShownNone() {
        mechanismsOfferedTo(null);

        assertThat(on(0, new ConnectionMethod.StartOk(CAPABLE, "EXTERNAL", SaslMechanism.bytes(""), "en_US")))
                .containsExactly(
                        connectionClose(
                                403,
                                "ACCESS_REFUSED - Login was refused using authentication mechanism EXTERNAL."
                                        + " For details see the broker logfile.",
                                0,
                                0),
                        "close");
    }

    @Test
    void shouldRefuseWhenFrameLimitIsTooSmall() {
        connection.onStart(null);
        on(0, login(CAPABLE, "guest", "guest"));

        assertThat(on(0, new ConnectionMethod.TuneOk(2_047, 100, 60)))
                .containsExactly(
                        connectionClose(
                                530,
                                "NOT_ALLOWED - negotiated frame_max = 100 is lower than the minimum allowed value"
                                        + " (4096)",
                                10,
                                31),
                        "closing");
    }

    @Test
    void shouldRefuseWhenVirtualHostIsMissing() {
        connection.onStart(null);
        on(0, login(CAPABLE, "guest", "guest"));
        on(0, new ConnectionMethod.TuneOk(2_047, 131_072, 60));

        assertThat(on(0, new ConnectionMethod.Open("nope")))
                .containsExactly(connectionClose(530, "NOT_ALLOWED - vhost nope not found", 10, 40), "closing");
    }

    @Test
    void shouldRefuseWhenBrokerIsClosed() {
        connection.onStart(null);
        on(0, login(CAPABLE, "guest", "guest"));
        on(0, new ConnectionMethod.TuneOk(2_047, 131_072, 60));
        broker.close();

        connection.onMethod(0, new ConnectionMethod.Open("/"));

        assertThat(output.take())
                .containsExactly(
                        connectionClose(320, "CONNECTION_FORCED - broker 'warren' is closed", 10, 40), "closing");
    }

    // ---- the ends of channels and connections

    @Test
    void shouldSwallowAllOnChannelUntilItsCloseOkWhenBrokerClosedIt() {
        open();

        List<Object> refused =
                on(1, new QueueMethod.Declare("nope", true, false, false, false, false, FieldTable.EMPTY));
        publish("", "nope", true, "swallowed");
        connection.onBody(1, new byte[] {1});
        List<Object> meanwhile = on(1, new BasicMethod.Get("nope", true));
        List<Object> crossing = on(1, new ChannelMethod.Close(200, "bye", 0, 0));
        List<Object> ended = on(1, new ChannelMethod.CloseOk());
        List<Object> again = on(1, new ChannelMethod.Open());

        assertThat(refused)
                .containsExactly(
                        new Sent(1, new ChannelMethod.Close(404, "NOT_FOUND - no queue 'nope' in vhost '/'", 50, 10)));
        assertThat(meanwhile).isEmpty();
        assertThat(crossing).containsExactly(new Sent(1, new ChannelMethod.CloseOk()));
        assertThat(ended).isEmpty();
        assertThat(again).containsExactly(new Sent(1, new ChannelMethod.OpenOk()));
    }

    @Test
    void shouldHearNothingButCloseOkWhenErrorClosedConnection() {
        open();

        List<Object> refused = on(1, new ChannelMethod.Open());
        List<Object> meanwhile = on(1, new BasicMethod.Get("nope", true));
        List<Object> ended = on(0, new ConnectionMethod.CloseOk());

        assertThat(refused)
                .containsExactly(connectionClose(504, "CHANNEL_ERROR - second 'channel.open' seen", 20, 10), "closing");
        assertThat(meanwhile).isEmpty();
        assertThat(ended).containsExactly("close");
    }

    @Test
    void shouldCloseConnectionWhenBrokerRefusesWithItsScope() {
        open();

        List<Object> refused =
                on(1, new ExchangeMethod.Declare("x", "zz", false, false, false, false, false, FieldTable.EMPTY));

        assertThat(refused)
                .containsExactly(
                        connectionClose(503, "COMMAND_INVALID - unknown exchange type 'zz'", 40, 10), "closing");
    }

    @Test
    void shouldCloseConnectionWhenChannelIsNotOpen() {
        open();

        assertThat(on(2, new BasicMethod.Get("q", true)))
                .containsExactly(connectionClose(504, "CHANNEL_ERROR - expected 'channel.open'", 60, 70), "closing");
    }

    @Test
    void shouldAnswerCloseOkWhenClientClosesConnection() {
        open();

        assertThat(on(0, new ConnectionMethod.Close(200, "bye", 0, 0)))
                .containsExactly(new Sent(0, new ConnectionMethod.CloseOk()), "closing");
    }

    @Test
    void shouldDropWhatWasSentBeforeTheAnswerToCloseWasRead() {
        open();
        declare("q");
        connection.onMethod(0, new ConnectionMethod.Close(200, "bye", 0, 0));
        effects();

        connection.onMethod(1, new BasicMethod.Publish("", "q", false, false));
        connection.onHeader(1, BasicMethod.CLASS_ID, 1, Properties.NONE);
        connection.onBody(1, new byte[] {'a'});

        assertThat(effects()).isEmpty();
        assertThat(broker.vhost("/").queue("q").ready()).isZero();
    }

    @Test
    void shouldTakeNewSecretWhenClientRenewsIt() {
        open();

        assertThat(on(0, new ConnectionMethod.UpdateSecret(SaslMechanism.bytes("new"), "renewed")))
                .containsExactly(new Sent(0, new ConnectionMethod.UpdateSecretOk()));
    }

    // ---- contents

    @Test
    void shouldCloseConnectionWhenMethodComesInPlaceOfContent() {
        open();
        on(1, new BasicMethod.Publish("", "q", false, false));

        assertThat(on(1, new BasicMethod.Get("q", true)))
                .containsExactly(
                        connectionClose(
                                505,
                                "UNEXPECTED_FRAME - expected content header for class 60, got non content header"
                                        + " frame instead",
                                60,
                                70),
                        "closing");
    }

    @Test
    void shouldPutBodyTogetherWhenItComesInParts() {
        open();
        declare("q");
        connection.onMethod(1, new BasicMethod.Publish("", "q", false, false));
        connection.onHeader(1, BasicMethod.CLASS_ID, 5, Properties.NONE);
        connection.onBody(1, new byte[] {'a', 'b'});
        connection.onBody(1, new byte[] {});
        connection.onBody(1, new byte[] {'c', 'd', 'e'});

        assertThat(on(1, new BasicMethod.Get("q", true)))
                .containsExactly(new SentContent(1, new BasicMethod.GetOk(1, false, "", "q", 0), "abcde"));
    }

    @Test
    void shouldCloseChannelWhenMessageIsTooLarge() {
        open();
        connection.onMethod(1, new BasicMethod.Publish("", "q", false, false));
        connection.onHeader(1, BasicMethod.CLASS_ID, 134_217_729L, Properties.NONE);

        assertThat(effects())
                .containsExactly(new Sent(
                        1,
                        new ChannelMethod.Close(
                                406,
                                "PRECONDITION_FAILED - message size 134217729 is larger than configured max size"
                                        + " 134217728",
                                60,
                                40)));
    }

    @Test
    void shouldBlameNoMethodWhenAcknowledgementDoesNotCome() {
        ManualClock clock = new ManualClock();
        try (Broker impatient = Broker.builder()
                .seed(1)
                .clock(clock)
                .consumerTimeout(Duration.ofSeconds(20))
                .start()) {
            connection = new AmqpConnection(
                    SessionSettings.DEFAULT,
                    impatient.sessions(),
                    Peer.local("test"),
                    FieldTableCodec::readFields,
                    output,
                    inbox::add);
            open();
            declare("q");
            publish("", "q", false, "kept");
            on(1, new BasicMethod.Get("q", false));

            clock.advance(Duration.ofSeconds(25));

            assertThat(effects())
                    .endsWith(new Sent(
                            1,
                            new ChannelMethod.Close(
                                    406,
                                    "PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out. Timeout"
                                            + " value used: 20000 ms. This timeout value can be configured, see"
                                            + " consumers doc guide to learn more",
                                    0,
                                    0)));
        }
    }

    // ---- publishing and consuming

    @Test
    void shouldReturnBeforeOneAckForAllWhenPublishesCameTogether() {
        open();
        declare("q");
        on(1, new ConfirmMethod.Select(false));

        publish("", "q", true, "1");
        publish("", "nowhere", true, "2");
        publish("", "q", true, "3");

        assertThat(effects())
                .containsExactly(
                        new SentContent(1, new BasicMethod.Return(312, "NO_ROUTE", "", "nowhere"), "2"),
                        new Sent(1, new BasicMethod.Ack(3, true)));
    }

    @Test
    void shouldDeliverAfterConsumeOkWhenMessagesWait() {
        open();
        declare("q");
        publish("", "q", false, "1");

        List<Object> consumed =
                on(1, new BasicMethod.Consume("q", "tag", false, false, false, false, FieldTable.EMPTY));
        List<Object> acknowledged = on(1, new BasicMethod.Ack(1, false));
        List<Object> deleted = on(1, new QueueMethod.Delete("q", false, false, true));

        assertThat(consumed)
                .containsExactly(
                        new Sent(1, new BasicMethod.ConsumeOk("tag")),
                        new SentContent(1, new BasicMethod.Deliver("tag", 1, false, "", "q"), "1"));
        assertThat(acknowledged).isEmpty();
        assertThat(deleted).containsExactly(new Sent(1, new BasicMethod.Cancel("tag", true)));
    }

    @Test
    void shouldStopReadingOnlyWhenClientPublishesDuringAlarm() {
        open();
        declare("q");
        publish("", "q", false, "before");
        effects();

        broker.administration().forceMemoryAlarm(true);
        List<Object> raised = effects();
        List<Object> got = on(1, new BasicMethod.Get("q", true));
        connection.onMethod(1, new BasicMethod.Publish("", "q", false, false));
        List<Object> publishing = effects();
        boolean pausedWhilePublishing = connection.isPaused();
        broker.administration().forceMemoryAlarm(false);
        List<Object> over = effects();

        assertThat(raised).isEmpty();
        assertThat(got).containsExactly(new SentContent(1, new BasicMethod.GetOk(1, false, "", "q", 0), "before"));
        assertThat(publishing).containsExactly("pause", new Sent(0, new ConnectionMethod.Blocked("low on memory")));
        assertThat(pausedWhilePublishing).isTrue();
        assertThat(over).containsExactly("go on", new Sent(0, new ConnectionMethod.Unblocked()));
        assertThat(connection.isPaused()).isFalse();
    }

    @Test
    void shouldRefuseWhatIsNotImplemented() {
        open();

        assertThat(on(1, new ChannelMethod.Flow(false)))
                .containsExactly(connectionClose(540, "NOT_IMPLEMENTED - active=false", 20, 20), "closing");
    }

    @Test
    void shouldRefuseImmediate() {
        open();

        assertThat(on(1, new BasicMethod.Publish("", "q", false, true)))
                .containsExactly(connectionClose(540, "NOT_IMPLEMENTED - immediate=true", 60, 40), "closing");
    }
}
