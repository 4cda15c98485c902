package io.warren.amqp.server;

import java.security.Principal;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Which part of a client's certificate is the name of its user, for EXTERNAL; named as RabbitMQ's ssl_cert_login_from. */
public enum CertificateLogin {
    /** The whole subject, such as {@code CN=orders,O=Shop}. */
    DISTINGUISHED_NAME,
    /** The subject's CN. */
    COMMON_NAME;

    /** The user a client's certificate stands for; null if it has shown none, or none with such a name. */
    @Nullable String userOf(SSLSession session) {
        try {
            Principal subject = session.getPeerPrincipal();
            return switch (this) {
                case DISTINGUISHED_NAME -> subject.getName();
                case COMMON_NAME -> commonName(subject.getName());
            };
        } catch (SSLPeerUnverifiedException | InvalidNameException noName) {
            // A client without a certificate logs in in another way.
            return null;
        }
    }

    private static @Nullable String commonName(String subject) throws InvalidNameException {
        for (Rdn part : new LdapName(subject).getRdns()) {
            if (part.getType().equalsIgnoreCase("CN")) {
                return part.getValue().toString();
            }
        }
        return null;
    }
}
