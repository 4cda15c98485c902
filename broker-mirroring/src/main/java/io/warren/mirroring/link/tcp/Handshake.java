package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How two ends of a connection become a link: a state machine, owned by the links' thread.
 *
 * <pre>
 * dialler                              acceptor
 *   HELLO ------------------------------&gt;         who I am, a nonce
 *         &lt;------------------------------ HELLO
 *   PROOF ------------------------------&gt;         HMAC(secret, "dialler", both hellos)
 *         &lt;------------------------------ PROOF   HMAC(secret, "acceptor", both hellos)
 *   WELCOME from the node whose name is lower, whoever dialled
 * </pre>
 *
 * <p>The acceptor proves nothing to somebody who has not proved himself. The direction is in what a proof is over, so that nobody's
 * own proof can be sent back to him; both nonces are, so that no old one counts.
 *
 * <p>Two nodes that dial each other at the same time make two connections. The node with the lower name decides which becomes the link,
 * by saying WELCOME on one of them; neither end counts a connection as up before that. It numbers the links it welcomes, and a HELLO
 * names the one that its sender has lost ({@link LinkNumbers}): so a connection that was dialled before the present link was seen is refused
 * as a duplicate, and one whose other end has lost it replaces it at once, though this end may not have noticed.
 *
 * <pre>
 * PROOF, WELCOME, REFUSED, DUPLICATE    kind:1  length:2  body
 * </pre>
 */
final class Handshake {
    private static final int PROOF = 1;
    private static final int WELCOME = 2;
    private static final int REFUSED = 3;
    private static final int DUPLICATE = 4;

    private static final int HEAD_BYTES = 3;
    private static final int BODY_BYTES_MAX = 512;

    private static final String DIALLER = "warren link dialler";
    private static final String ACCEPTOR = "warren link acceptor";

    /** Where a handshake stands: what has to come next. */
    enum State {
        /** The peer says who it is. */
        HELLO,
        /** It proves that it knows the secret. */
        PROOF,
        /** The node with the lower name, which is the peer, decides. */
        WELCOME,
        /** The connection is a link. */
        LINKED
    }

    /** The node that shakes hands. */
    interface Node {
        /** What it says of itself, to this peer; null for a dialler who does not know yet whom it has dialled. */
        Hello hello(@Nullable Hello peer);

        /** Looks at what a peer says that has proved nothing yet. */
        void check(Hello peer) throws Refused;

        /** Whether a peer that has proved itself may have a link. */
        void admit(Hello peer) throws Refused;

        /** A number for the new link, this being the lower name. */
        long welcome(Hello peer) throws Refused;

        void send(ByteBuf message);

        void linked(Hello peer, long number);
    }

    private final boolean dialler;
    private final ClusterSecret secret;
    private final Node node;

    private State state = State.HELLO;
    private @Nullable Hello own;
    private @Nullable Hello peer;

    Handshake(boolean dialler, ClusterSecret secret, Node node) {
        this.dialler = dialler;
        this.secret = secret;
        this.node = node;
    }

    State state() {
        return state;
    }

    /** Who the peer says it is, as soon as it has. */
    @Nullable Hello peer() {
        return peer;
    }

    /** The connection stands. */
    void start() {
        if (dialler) {
            sayHello(null);
        }
    }

    /**
     * Takes what has come, as far as it is complete; it stops when the connection is a link.
     *
     * @throws Refused if the peer is refused, or refuses
     * @throws RuntimeException if it does not follow the protocol
     */
    void read(ByteBuf in) {
        boolean moved = true;
        while (moved && state != State.LINKED) {
            moved = state == State.HELLO ? readHello(in) : readMessage(in);
        }
    }

    private boolean readHello(ByteBuf in) {
        if (in.isReadable() && isRefusal(in.getByte(in.readerIndex()))) {
            return readMessage(in);
        }
        Hello hello = Hello.read(in);
        if (hello == null) {
            return false;
        }
        peer = hello;
        node.check(hello);
        state = State.PROOF;
        if (dialler) {
            prove(DIALLER);
        } else {
            sayHello(hello);
        }
        return true;
    }

    /** Who refuses may do so before it says who it is: the dialler, too, when a link has come up while it was connecting. */
    private static boolean isRefusal(int kind) {
        return kind == REFUSED || kind == DUPLICATE;
    }

    private void sayHello(@Nullable Hello to) {
        Hello hello = node.hello(to);
        own = hello;
        node.send(Unpooled.wrappedBuffer(hello.bytes()));
    }

    private boolean readMessage(ByteBuf in) {
        if (in.readableBytes() < HEAD_BYTES) {
            return false;
        }
        int kind = in.getByte(in.readerIndex());
        int length = in.getUnsignedShort(in.readerIndex() + 1);
        if (length > BODY_BYTES_MAX) {
            throw new Malformed("a message of " + length + " bytes during the handshake");
        }
        if (in.readableBytes() < HEAD_BYTES + length) {
            return false;
        }
        byte[] body = new byte[length];
        in.skipBytes(HEAD_BYTES).readBytes(body);
        onMessage(kind, body);
        return true;
    }

    private void onMessage(int kind, byte[] body) {
        if (kind == REFUSED) {
            String why = new String(body, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
            throw Refused.because("it refused this node: " + why);
        }
        if (kind == DUPLICATE) {
            throw Refused.duplicate();
        }
        if (kind == PROOF && state == State.PROOF) {
            onProof(body, Objects.requireNonNull(peer));
        } else if (kind == WELCOME && state == State.WELCOME && body.length == Long.BYTES) {
            link(Objects.requireNonNull(peer), Unpooled.wrappedBuffer(body).readLong());
        } else {
            throw new Malformed("a message of kind " + kind + " where the handshake stands at " + state);
        }
    }

    private void onProof(byte[] proof, Hello from) {
        if (!ClusterSecret.isSame(proof, proof(dialler ? ACCEPTOR : DIALLER))) {
            throw Refused.because("its cluster secret is another one");
        }
        node.admit(from);
        if (!dialler) {
            prove(ACCEPTOR);
        }
        Hello self = Objects.requireNonNull(own);
        if (self.member().node().compareTo(from.member().node()) < 0) {
            long number = node.welcome(from);
            send(WELCOME, Unpooled.copyLong(number));
            link(from, number);
        } else {
            state = State.WELCOME;
        }
    }

    private void link(Hello to, long number) {
        state = State.LINKED;
        node.linked(to, number);
    }

    private void prove(String direction) {
        send(PROOF, Unpooled.wrappedBuffer(proof(direction)));
    }

    private byte[] proof(String direction) {
        byte[] ownBytes = Objects.requireNonNull(own).bytes();
        byte[] peerBytes = Objects.requireNonNull(peer).bytes();
        return secret.proof(
                direction.getBytes(StandardCharsets.US_ASCII),
                dialler ? ownBytes : peerBytes,
                dialler ? peerBytes : ownBytes);
    }

    private void send(int kind, ByteBuf body) {
        node.send(message(kind, body));
    }

    private static ByteBuf message(int kind, ByteBuf body) {
        ByteBuf head = Unpooled.buffer(HEAD_BYTES).writeByte(kind).writeShort(body.readableBytes());
        return Unpooled.wrappedBuffer(head, body);
    }

    /** What a peer is told that is refused. */
    static ByteBuf refusal(Refused refused) {
        byte[] why = refused.getMessage() == null
                ? new byte[0]
                : refused.getMessage().getBytes(StandardCharsets.UTF_8);
        ByteBuf body = Unpooled.wrappedBuffer(why, 0, Math.min(why.length, BODY_BYTES_MAX));
        return message(refused.isDuplicate() ? DUPLICATE : REFUSED, body);
    }
}
