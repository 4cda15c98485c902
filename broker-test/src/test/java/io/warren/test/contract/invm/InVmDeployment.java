package io.warren.test.contract.invm;

import io.warren.core.Broker;
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
import java.time.Duration;

/** A broker of its own for one test: nothing needs cleaning, and time costs nothing. */
final class InVmDeployment extends Deployment {

    private final ManualClock clock = new ManualClock();
    private final Broker broker = Broker.builder().clock(clock).start();

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
        return new InVmAdministration(broker.administration(), vhost());
    }

    @Override
    public void advance(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected Client open(Login login) {
        try {
            Connection connection = broker.connect(login.vhost(), new Credentials(login.user(), login.password()));
            return new InVmClient(connection);
        } catch (AmqpException refused) {
            throw new ClosedException(Closures.of(refused.error()), refused);
        }
    }

    @Override
    protected void cleanUp() {
        broker.close();
    }
}
