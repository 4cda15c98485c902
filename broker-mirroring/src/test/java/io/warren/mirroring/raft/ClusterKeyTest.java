package io.warren.mirroring.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECPoint;
import org.junit.jupiter.api.Test;

class ClusterKeyTest {
    private static byte[] secret(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldBeTheSameForTheSameSecretAndAnotherForAnother() {
        ClusterKey one = ClusterKey.of(secret("correct horse battery"));
        ClusterKey other = ClusterKey.of(secret("correct horse batterY"));
        ClusterKey same = ClusterKey.of(secret("correct horse battery"));

        assertThat(one.isFor(same.certificate())).isTrue();
        assertThat(one.isFor(other.certificate())).isFalse();
        assertThat(one.privateKey().getEncoded()).isEqualTo(same.privateKey().getEncoded());
    }

    @Test
    void shouldMakeACertificateSignedByItsKey() {
        ClusterKey key = ClusterKey.of(secret("correct horse battery"));

        assertThatCode(() -> key.certificate().verify(key.certificate().getPublicKey()))
                .doesNotThrowAnyException();
        assertThatCode(() -> key.certificate().checkValidity()).doesNotThrowAnyException();
        assertThat(key.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=warren cluster");
    }

    @Test
    void shouldRefuseASecretThatIsTooShort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterKey.of(secret("too short")))
                .withMessageContaining("bytes=9")
                .withMessageContaining("16");
    }

    @Test
    void shouldFindThePointsOfTheJdksKeys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        for (int i = 0; i < 5; i++) {
            KeyPair pair = generator.generateKeyPair();

            ECPoint point = P256.timesGenerator(((ECPrivateKey) pair.getPrivate()).getS());

            assertThat(point).isEqualTo(((ECPublicKey) pair.getPublic()).getW());
        }
        assertThat(P256.timesGenerator(BigInteger.ONE)).isEqualTo(P256.spec().getGenerator());
    }
}
