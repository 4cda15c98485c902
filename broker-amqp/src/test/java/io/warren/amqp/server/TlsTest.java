package io.warren.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSaslConfig;
import io.warren.amqp.session.SaslMechanism;
import io.warren.core.Broker;
import io.warren.core.ConnectionView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS, and logging in by a certificate. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TlsTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @TempDir
    private static Path folder;

    private static Certificates server;
    private static Certificates client;
    private static Certificates stranger;

    private final Broker broker = Broker.start();
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void createCertificates() throws Exception {
        server = Certificates.create(folder, "server", "CN=localhost");
        client = Certificates.create(folder, "client", "CN=orders, O=Warren");
        stranger = Certificates.create(folder, "stranger", "CN=orders, O=Warren");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
        broker.close();
    }

    private AmqpServer start(AmqpServerBuilder builder) {
        AmqpServer started = builder.port(0).start();
        open.add(started);
        return started;
    }

    private AmqpServerBuilder external(TlsSettings tls) {
        return AmqpServer.builder(broker)
                .tls(tls.trustPem(client.certificate()))
                .mechanisms(SaslMechanism.PLAIN, SaslMechanism.EXTERNAL);
    }

    private static TlsSettings pem() {
        return TlsSettings.pem(server.certificate(), server.key());
    }

    private static ConnectionFactory factory(String uri, SSLContext tls) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        factory.setAutomaticRecoveryEnabled(false);
        factory.useSslProtocol(tls);
        factory.enableHostnameVerification();
        return factory;
    }

    private static ConnectionFactory byCertificate(AmqpServer to, SSLContext tls) throws Exception {
        ConnectionFactory factory = factory(to.amqpUri(), tls);
        factory.setSaslConfig(DefaultSaslConfig.EXTERNAL);
        return factory;
    }

    private ConnectionView only() {
        return broker.administration().connections().get(0);
    }

    @Test
    void shouldSpeakTlsWhenCertificateIsInPemFiles() throws Exception {
        AmqpServer started = start(AmqpServer.builder(broker).tls(pem()));

        try (Connection connection =
                factory(started.amqpUri(), server.clientWithoutCertificate()).newConnection()) {
            assertThat(started.amqpUri()).startsWith("amqps://127.0.0.1:");
            assertThat(connection.createChannel().queueDeclare().getQueue()).isNotEmpty();
            assertThat(only().origin().isTls()).isTrue();
        }
    }

    @Test
    void shouldSpeakTlsWhenCertificateIsInPkcs12File() throws Exception {
        AmqpServer started =
                start(AmqpServer.builder(broker).tls(TlsSettings.pkcs12(server.pkcs12(), Certificates.PASSWORD)));

        try (Connection connection =
                factory(started.amqpUri(), server.clientWithoutCertificate()).newConnection()) {
            assertThat(connection.isOpen()).isTrue();
        }
    }

    @Test
    void shouldLogInAsSubjectWhenClientShowsCertificate() throws Exception {
        broker.administration().putUser("CN=orders,O=Warren", "not asked for");
        broker.administration().setPermissions("/", "CN=orders,O=Warren", ".*", ".*", ".*");
        AmqpServer started = start(external(pem().requestClientCertificate()));

        try (Connection connection =
                byCertificate(started, client.clientTo(server)).newConnection()) {
            assertThat(connection.isOpen()).isTrue();
            assertThat(only().user()).isEqualTo("CN=orders,O=Warren");
        }
    }

    @Test
    void shouldLogInAsCommonNameWhenThatIsAskedFor() throws Exception {
        broker.administration().putUser("orders", "not asked for");
        broker.administration().setPermissions("/", "orders", ".*", ".*", ".*");
        AmqpServer started = start(external(TlsSettings.pkcs12(server.pkcs12(), Certificates.PASSWORD)
                        .requireClientCertificate())
                .certificateLogin(CertificateLogin.COMMON_NAME));

        try (Connection connection =
                byCertificate(started, client.clientTo(server)).newConnection()) {
            assertThat(connection.isOpen()).isTrue();
            assertThat(only().user()).isEqualTo("orders");
        }
    }

    @Test
    void shouldRefuseWhenCertificateNamesNoUser() throws Exception {
        AmqpServer started = start(external(pem().requestClientCertificate()));

        assertThatThrownBy(() -> byCertificate(started, client.clientTo(server)).newConnection())
                .isInstanceOf(AuthenticationFailureException.class)
                .hasMessage("ACCESS_REFUSED - Login was refused using authentication mechanism EXTERNAL."
                        + " For details see the broker logfile.");
    }

    @Test
    void shouldOfferPasswordOnlyWhenClientShowsNoCertificate() throws Exception {
        AmqpServer started = start(external(pem().requestClientCertificate()));
        SSLContext tls = server.clientWithoutCertificate();

        assertThatThrownBy(() -> byCertificate(started, tls).newConnection())
                .hasMessageContaining("No compatible authentication mechanism found - server offered [PLAIN]");
        try (Connection connection = factory(started.amqpUri(), tls).newConnection()) {
            assertThat(connection.isOpen()).isTrue();
            assertThat(only().user()).isEqualTo("guest");
        }
    }

    @Test
    void shouldRefuseClientWhenCertificateIsMissingOrNotTrusted() throws Exception {
        AmqpServer started = start(external(pem().requireClientCertificate()));

        assertThatThrownBy(() -> factory(started.amqpUri(), server.clientWithoutCertificate())
                        .newConnection())
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() ->
                        factory(started.amqpUri(), stranger.clientTo(server)).newConnection())
                .isInstanceOf(IOException.class);
        try (Connection connection =
                factory(started.amqpUri(), client.clientTo(server)).newConnection()) {
            assertThat(connection.isOpen()).isTrue();
        }
    }

    @Test
    void shouldServeAllListenersWhenThereAreSeveral() throws Exception {
        AmqpServer started =
                start(AmqpServer.builder(broker).alsoListen(HERE, 0).alsoListen(HERE, 0, pem()));

        assertThat(started.uris()).hasSize(3).first().isEqualTo(started.amqpUri());
        assertThat(started.uris())
                .extracting(uri -> URI.create(uri).getScheme())
                .containsExactly("amqp", "amqp", "amqps");
        for (String uri : started.uris().subList(0, 2)) {
            ConnectionFactory plain = new ConnectionFactory();
            plain.setUri(uri);
            plain.newConnection().close();
        }
        factory(started.uris().get(2), server.clientWithoutCertificate())
                .newConnection()
                .close();
    }

    @Test
    void shouldGoOnWhenClientSpeaksWithoutTls() throws Exception {
        AmqpServer started = start(AmqpServer.builder(broker).tls(pem()));
        ConnectionFactory plain = new ConnectionFactory();
        plain.setPort(started.port());

        assertThatThrownBy(plain::newConnection).isInstanceOf(IOException.class);
        factory(started.amqpUri(), server.clientWithoutCertificate())
                .newConnection()
                .close();
    }

    @Test
    void shouldSpeakOnlyTheVersionsAskedFor() throws Exception {
        AmqpServer started = start(AmqpServer.builder(broker).tls(pem().protocols("TLSv1.3")));
        SSLContext old = SSLContext.getInstance("TLSv1.2");
        old.init(null, null, null);

        assertThatThrownBy(() -> factory(started.amqpUri(), old).newConnection())
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldSayWhichFileIsMissingWhenServerStarts() {
        Path missing = folder.resolve("missing.pem");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AmqpServer.builder(broker)
                        .port(0)
                        .tls(TlsSettings.pem(missing, server.key()))
                        .start())
                .withMessageContaining(missing.toString());
    }
}
