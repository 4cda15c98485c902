package io.warren.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.ChannelView;
import io.warren.core.Connection;
import io.warren.core.ConnectionView;
import io.warren.core.QueueOptions;
import io.warren.core.spi.ManualClock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator sees of connections and channels, and that he can end them. */
class ConnectionViewTest {

    private final ManualClock clock = new ManualClock();
    private final Broker broker = Broker.builder().clock(clock).seed(7).start();

    @AfterEach
    void close() {
        broker.close();
    }

    private List<ConnectionView> connections() {
        return broker.administration().connections();
    }

    @Test
    void shouldListConnectionsWithOldestFirst() {
        broker.administration().createVhost("other");
        Connection first = broker.connect();
        Connection second = broker.connect("other");

        assertThat(connections()).extracting(ConnectionView::name).containsExactly(first.name(), second.name());
        assertThat(connections()).extracting(ConnectionView::vhost).containsExactly("/", "other");
        assertThat(connections()).extracting(ConnectionView::user).containsOnly("guest");
        assertThat(connections().get(0).connectedAt()).isEqualTo(clock.now());
        assertThat(connections().get(0).origin().protocol()).isEqualTo("in-VM");
        assertThat(connections().get(0).clientProvidedName()).isNull();
    }

    @Test
    void shouldForgetConnectionWhenItIsClosed() {
        Connection connection = broker.connect();
        ConnectionView view = connections().get(0);

        connection.close();

        assertThat(connections()).isEmpty();
        assertThat(view.isOpen()).isFalse();
        assertThat(view.name()).isEqualTo(connection.name());
    }

    @Test
    void shouldShowWhatChannelsHold() {
        Connection connection = broker.connect();
        Channel publishing = connection.openChannel();
        Channel consuming = connection.openChannel();
        publishing.queueDeclare(QueueOptions.named("q"));
        publishing.confirmSelect();
        publishing.publish("", "q", new byte[1]);
        consuming.qos(10);
        consuming.consume("q", delivery -> {});
        broker.runDue();

        List<ChannelView> channels = connections().get(0).channels();

        assertThat(channels)
                .extracting(ChannelView::name)
                .containsExactly(connection.name() + " (1)", connection.name() + " (2)");
        assertThat(channels).extracting(ChannelView::isConfirming).containsExactly(true, false);
        assertThat(channels).extracting(ChannelView::isTransactional).containsOnly(false);
        assertThat(channels).extracting(ChannelView::unconfirmed).containsOnly(0);
        assertThat(channels).extracting(ChannelView::unacked).containsExactly(0, 1);
        assertThat(channels).extracting(ChannelView::consumers).containsExactly(0, 1);
        assertThat(channels).extracting(ChannelView::prefetch).containsExactly(0, 10);
    }

    @Test
    void shouldTellReasonWhenOperatorClosesConnection() {
        Connection meant = broker.connect();
        Connection other = broker.connect();

        broker.administration().closeConnection(meant.name(), "maintenance");

        assertThat(meant.closeReason()).isNotNull().satisfies(reason -> {
            assertThat(reason.code().code()).isEqualTo(320);
            assertThat(reason.text()).isEqualTo("CONNECTION_FORCED - maintenance");
        });
        assertThat(other.isOpen()).isTrue();
        assertThat(connections()).extracting(ConnectionView::name).containsExactly(other.name());
    }

    @Test
    void shouldHaveBackWhatChannelsHeldWhenOperatorHasClosedThem() {
        Channel channel = broker.connect().openChannel();
        channel.queueDeclare(QueueOptions.named("q"));
        channel.publish("", "q", new byte[1]);
        channel.get("q", false);

        int closed = broker.administration().closeConnections(connection -> true, "all");

        assertThat(closed).isEqualTo(1);
        assertThat(broker.vhost("/").queue("q").ready()).isEqualTo(1);
    }

    @Test
    void shouldRefuseToCloseWhatIsNotThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> broker.administration().closeConnection("nobody", "maintenance"))
                .withMessage("there is no connection 'nobody'");
    }
}
