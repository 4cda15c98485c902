package io.warren.benchmarks;

import java.io.IOException;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** An Artemis server in this JVM without journal and security, reached by {@value #URL}. */
final class ArtemisServer implements AutoCloseable {

    static final String URL = "vm://0";

    private final EmbeddedActiveMQ server;

    private ArtemisServer(EmbeddedActiveMQ server) {
        this.server = server;
    }

    static ArtemisServer start() throws Exception {
        EmbeddedActiveMQ server = new EmbeddedActiveMQ();
        server.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .addAcceptorConfiguration("in-vm", URL)
                // Nothing is paged to disk and nobody is held back by size: the load has limits of its own.
                .addAddressSetting("#", new AddressSettings().setMaxSizeBytes(-1))
                .setGlobalMaxSize(1L << 31));
        server.start();
        return new ArtemisServer(server);
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IOException("Artemis could not be stopped", failed);
        }
    }
}
