package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final ClusterSecret SECRET = ClusterSecret.of("0123456789abcdef");

    /** An end of a connection, without the connection. */
    private static final class End implements Handshake.Node {
        final String name;
        final Handshake handshake;
        final Deque<ByteBuf> sent = new ArrayDeque<>();
        byte nonce;
        Hello linked;
        long number;

        End(String name, boolean dialler, ClusterSecret secret, int nonce) {
            this.name = name;
            this.nonce = (byte) nonce;
            handshake = new Handshake(dialler, secret, this);
            handshake.start();
        }

        @Override
        public Hello hello(Hello peer) {
            byte[] bytes = new byte[Hello.NONCE_BYTES];
            bytes[0] = nonce;
            return Hello.of("test", new Member(name, 1), name.hashCode(), name + ":1", 0, bytes);
        }

        @Override
        public void check(Hello peer) {}

        @Override
        public void admit(Hello peer) {}

        @Override
        public long welcome(Hello peer) {
            return 42;
        }

        @Override
        public void send(ByteBuf message) {
            sent.add(message);
        }

        @Override
        public void linked(Hello peer, long linkNumber) {
            linked = peer;
            number = linkNumber;
        }

        void take(ByteBuf message) {
            handshake.read(message);
        }
    }

    private static void exchange(End one, End other) {
        while (!one.sent.isEmpty() || !other.sent.isEmpty()) {
            while (!one.sent.isEmpty()) {
                other.take(one.sent.remove());
            }
            while (!other.sent.isEmpty()) {
                one.take(other.sent.remove());
            }
        }
    }

    @Test
    void shouldLinkBothEndsWhenTheLowerNameDials() {
        End a = new End("a", true, SECRET, 1);
        End b = new End("b", false, SECRET, 2);

        exchange(a, b);

        assertThat(a.linked.member()).isEqualTo(new Member("b", 1));
        assertThat(b.linked.member()).isEqualTo(new Member("a", 1));
        assertThat(b.number).isEqualTo(42);
    }

    @Test
    void shouldLinkBothEndsWhenTheHigherNameDials() {
        End b = new End("b", true, SECRET, 2);
        End a = new End("a", false, SECRET, 1);

        exchange(b, a);

        assertThat(a.linked.address()).isEqualTo("b:1");
        assertThat(b.linked.address()).isEqualTo("a:1");
    }

    @Test
    void shouldRefuseADiallerWithAnotherSecretAndProveNothingToIt() {
        End a = new End("a", true, ClusterSecret.of("another secret of good length"), 1);
        End b = new End("b", false, SECRET, 2);
        b.take(a.sent.remove());
        a.take(b.sent.remove());

        assertThatThrownBy(() -> b.take(a.sent.remove())).hasMessage("its cluster secret is another one");
        assertThat(b.sent).isEmpty();
    }

    @Test
    void shouldRefuseANodeThatSendsBackWhatItWasSent() {
        End a = new End("a", true, SECRET, 1);
        ByteBuf hello = a.sent.remove();
        End mirror = new End("a", true, SECRET, 1);
        mirror.sent.clear();

        a.take(hello.copy());
        ByteBuf proof = a.sent.remove();

        assertThatThrownBy(() -> a.take(proof)).hasMessage("its cluster secret is another one");
    }

    @Test
    void shouldRefuseAProofOfAnEarlierConnection() {
        End a = new End("a", true, SECRET, 1);
        End b = new End("b", false, SECRET, 2);
        ByteBuf hello = a.sent.remove();
        b.take(hello.copy());
        a.take(b.sent.remove());
        ByteBuf proof = a.sent.remove();

        End later = new End("b", false, SECRET, 3);
        later.take(hello);

        assertThatThrownBy(() -> later.take(proof)).hasMessage("its cluster secret is another one");
    }

    @Test
    void shouldNeverSendTheSecret() {
        End a = new End("a", true, SECRET, 1);
        End b = new End("b", false, SECRET, 2);
        ByteBuf all = Unpooled.buffer();
        while (!a.sent.isEmpty() || !b.sent.isEmpty()) {
            for (End end : new End[] {a, b}) {
                while (!end.sent.isEmpty()) {
                    ByteBuf next = end.sent.remove();
                    all.writeBytes(next, next.readerIndex(), next.readableBytes());
                    (end == a ? b : a).take(next);
                }
            }
        }

        assertThat(a.linked).isNotNull();
        assertThat(all.toString(java.nio.charset.StandardCharsets.ISO_8859_1)).doesNotContain("0123456789abcdef");
    }

    @Test
    void shouldWaitForTheRestWhenMessagesComeByteByByte() {
        End a = new End("a", true, SECRET, 1);
        End b = new End("b", false, SECRET, 2);
        ByteBuf toA = Unpooled.buffer();
        ByteBuf toB = Unpooled.buffer();
        for (int round = 0; round < 2_000 && (a.linked == null || b.linked == null); round++) {
            step(a, b, toB);
            step(b, a, toA);
        }

        assertThat(a.linked).isNotNull();
        assertThat(b.linked).isNotNull();
    }

    private static void step(End from, End to, ByteBuf way) {
        ByteBuf next = from.sent.peek();
        if (next == null) {
            return;
        }
        way.writeByte(next.readByte());
        if (!next.isReadable()) {
            from.sent.remove();
        }
        to.take(way);
    }

    @Test
    void shouldUnderstandADiallerThatSaysInsteadOfItsHelloThatThereIsALinkAlready() {
        End b = new End("b", false, SECRET, 2);

        assertThatThrownBy(() -> b.take(Handshake.refusal(Refused.duplicate())))
                .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.isDuplicate())
                        .isTrue());
        assertThat(b.sent).isEmpty();
    }

    @Test
    void shouldNameWhatWasGivenWhenItIsNoHello() {
        End b = new End("b", false, SECRET, 2);

        assertThatThrownBy(() -> b.take(Unpooled.copiedBuffer(new byte[] {'G', 'E', 'T', ' '})))
                .hasMessage("it does not speak this protocol, but sent 47455420");
    }

    @Test
    void shouldNameBothVersionsWhenTheyDiffer() {
        End a = new End("a", true, SECRET, 1);
        ByteBuf hello = a.sent.remove().copy();
        hello.setShort(6, 9);
        End b = new End("b", false, SECRET, 2);

        assertThatThrownBy(() -> b.take(hello)).hasMessage("it speaks version 9 of the protocol, this node version 1");
    }

    @Test
    void shouldTakeAnyBytesWithoutAnythingButARefusal() {
        java.util.Random random = new java.util.Random(5);
        for (int round = 0; round < 2_000; round++) {
            End a = new End("a", true, SECRET, 1);
            ByteBuf hello = a.sent.remove().copy();
            hello.setByte(random.nextInt(hello.readableBytes()), random.nextInt(256));
            End b = new End("b", false, SECRET, 2);
            try {
                b.take(hello);
            } catch (RuntimeException refused) {
                assertThat(refused)
                        .isInstanceOfAny(
                                Malformed.class, IndexOutOfBoundsException.class, IllegalArgumentException.class);
            }
            assertThat(b.linked).isNull();
        }
    }

    @Test
    void shouldAskForALongSecret() {
        assertThatThrownBy(() -> ClusterSecret.of("short"))
                .hasMessage("a cluster secret of 5 bytes is shorter than 16");
        assertThatCode(() -> ClusterSecret.of("sixteen bytes ok")).doesNotThrowAnyException();
        assertThat(SECRET).hasToString("a cluster secret");
    }
}
