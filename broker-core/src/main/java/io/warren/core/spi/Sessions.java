package io.warren.core.spi;

import io.warren.core.error.AmqpError;
import org.jspecify.annotations.Nullable;

/** The door for transports: who may come in, and the connection they get. */
public interface Sessions {

    /** Why the user cannot log in with that password, or null if it can. */
    @Nullable AmqpError authenticate(String user, String password);

    /** Whether there is such a user; for those who prove themselves in another way than by password. */
    boolean exists(String user);

    /**
     * Opens a connection for a user that has proved itself.
     *
     * @param name where it comes from, for people; made unique
     * @param origin what an operator is shown
     * @throws io.warren.core.error.AmqpException 530 for a virtual host that does not exist or is not the user's
     */
    ConnectionSession open(String name, String user, String vhost, ClientOrigin origin, ConnectionReceiver receiver);
}
