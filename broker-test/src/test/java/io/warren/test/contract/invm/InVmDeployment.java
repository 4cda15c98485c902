package io.warren.test.contract.invm;

import io.warren.core.Broker;
import io.warren.core.BrokerBuilder;
import io.warren.core.Connection;
import io.warren.core.Credentials;
import io.warren.core.error.AmqpException;
import io.warren.core.spi.ManualClock;
import io.warren.test.contract.Administration;
import io.warren.test.contract.Capability;
import io.warren.test.contract.Client;
import io.warren.test.contract.ClosedException;
import io.warren.test.contract.Deployment;
import io.warren.test.contract.Login;
import io.warren.test.contract.Policy;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A broker of its own for one test: nothing needs cleaning, and time costs nothing. */
public final class InVmDeployment extends Deployment {

    private final Broker broker;
    private final Consumer<Duration> clock;
    private final Runnable afterwards;
    private final UnaryOperator<Policy> policies;

    /** A broker in memory. */
    public InVmDeployment() {
        this(builder -> builder, () -> {});
    }

    /**
     * A broker with further settings.
     *
     * @param afterwards run when the broker is closed
     */
    public InVmDeployment(UnaryOperator<BrokerBuilder> settings, Runnable afterwards) {
        this(new ManualClock(), settings, afterwards);
    }

    private InVmDeployment(ManualClock clock, UnaryOperator<BrokerBuilder> settings, Runnable afterwards) {
        this(settings.apply(Broker.builder().clock(clock)).start(), clock::advance, afterwards);
    }

    /**
     * A broker that runs already.
     *
     * @param clock lets time pass there
     * @param afterwards run when the broker is closed
     */
    public InVmDeployment(Broker broker, Consumer<Duration> clock, Runnable afterwards) {
        this(broker, clock, afterwards, policy -> policy);
    }

    /**
     * As the others.
     *
     * @param policies what becomes of the policies that tests set
     */
    public InVmDeployment(
            Broker broker, Consumer<Duration> clock, Runnable afterwards, UnaryOperator<Policy> policies) {
        this.broker = broker;
        this.clock = clock;
        this.afterwards = afterwards;
        this.policies = policies;
    }

    @Override
    public String vhost() {
        return "/";
    }

    @Override
    public Login login() {
        return new Login("/", "guest", "guest");
    }

    @Override
    public boolean offers(Capability capability) {
        return true;
    }

    @Override
    public Administration administration() {
        return new InVmAdministration(broker.administration(), vhost(), policies);
    }

    @Override
    public void advance(Duration duration) {
        clock.accept(duration);
        // Changes of the topology that fell due are made one behind the other, on disk by another thread: when this one
        // is answered, so are they.
        broker.administration().createVhost(vhost());
    }

    @Override
    protected Client open(Login login) {
        try {
            Connection connection = broker.connect(login.vhost(), new Credentials(login.user(), login.password()));
            return new InVmClient(connection, () -> clock.accept(Duration.ZERO));
        } catch (AmqpException refused) {
            throw new ClosedException(Closures.of(refused.error()), refused);
        }
    }

    @Override
    protected void cleanUp() {
        broker.close();
        afterwards.run();
    }
}
