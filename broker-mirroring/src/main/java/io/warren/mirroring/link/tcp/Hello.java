package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.warren.mirroring.ring.Member;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an end of a connection says of itself before anything else.
 *
 * <pre>
 * magic:6 ("WARREN")  version:2  length:2  |  cluster:text  node:text  incarnation:n  process:8  address:text  lostLink:n  nonce:32
 * </pre>
 *
 * <p>A class, not a record, because of the nonce.
 */
final class Hello {
    static final int VERSION = 1;
    static final int NONCE_BYTES = 32;
    static final int BODY_BYTES_MAX = 4_096;
    /** Magic, version and length. */
    static final int HEAD_BYTES = 10;

    private static final String MAGIC = "WARREN";

    private final String cluster;
    private final Member member;
    private final long process;
    private final String address;
    private final long lostLink;
    private final byte[] bytes;

    private Hello(String cluster, Member member, long process, String address, long lostLink, byte[] bytes) {
        this.cluster = cluster;
        this.member = member;
        this.process = process;
        this.address = address;
        this.lostLink = lostLink;
        this.bytes = bytes;
    }

    /**
     * What this end says.
     *
     * @param process drawn when the process started: tells it from a clone that has the same incarnation
     * @param address where it takes links
     * @param lostLink number of the last link with the other end, if this end has lost it; 0 while it has one and before the first
     */
    static Hello of(String cluster, Member member, long process, String address, long lostLink, byte[] nonce) {
        ByteBuf out = Unpooled.buffer();
        out.writeBytes(MAGIC.getBytes(StandardCharsets.US_ASCII))
                .writeShort(VERSION)
                .writeShort(0);
        Fields.writeText(out, cluster);
        Fields.writeMember(out, member);
        out.writeLong(process);
        Fields.writeText(out, address);
        Fields.writeNumber(out, lostLink);
        out.writeBytes(nonce);
        out.setShort(HEAD_BYTES - 2, out.readableBytes() - HEAD_BYTES);
        return new Hello(cluster, member, process, address, lostLink, ByteBufUtil.getBytes(out));
    }

    /**
     * Reads a hello, or returns null if it is not all there.
     *
     * @throws Malformed if it is none of this version
     */
    static @Nullable Hello read(ByteBuf in) {
        int begin = in.readerIndex();
        for (int at = 0; at < Math.min(MAGIC.length(), in.readableBytes()); at++) {
            if (in.getByte(begin + at) != MAGIC.charAt(at)) {
                throw new Malformed("it does not speak this protocol, but sent "
                        + ByteBufUtil.hexDump(in, begin, Math.min(16, in.readableBytes())));
            }
        }
        if (in.readableBytes() < HEAD_BYTES) {
            return null;
        }
        int version = in.getUnsignedShort(begin + MAGIC.length());
        if (version != VERSION) {
            throw new Malformed("it speaks version " + version + " of the protocol, this node version " + VERSION);
        }
        int length = in.getUnsignedShort(begin + HEAD_BYTES - 2);
        if (length > BODY_BYTES_MAX) {
            throw new Malformed("a hello of " + length + " bytes");
        }
        if (in.readableBytes() < HEAD_BYTES + length) {
            return null;
        }
        byte[] bytes = new byte[HEAD_BYTES + length];
        in.readBytes(bytes);
        return parse(bytes);
    }

    private static Hello parse(byte[] bytes) {
        ByteBuf body = Unpooled.wrappedBuffer(bytes).skipBytes(HEAD_BYTES);
        String cluster = Fields.readText(body);
        Member member = Fields.readMember(body);
        long process = body.readLong();
        String address = Fields.readText(body);
        long lostLink = Fields.readNumber(body);
        if (body.readableBytes() != NONCE_BYTES) {
            throw new Malformed("a hello with a nonce of " + body.readableBytes() + " bytes");
        }
        // These go into the log, perhaps of somebody who does not even know the secret.
        if ((cluster + member.node() + address).chars().anyMatch(Character::isISOControl)) {
            throw new Malformed("a name with control characters");
        }
        return new Hello(cluster, member, process, address, lostLink, bytes);
    }

    String cluster() {
        return cluster;
    }

    Member member() {
        return member;
    }

    long process() {
        return process;
    }

    String address() {
        return address;
    }

    long lostLink() {
        return lostLink;
    }

    /** As it travelled: what proofs are over. */
    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "node '" + member.node() + "', incarnation " + member.incarnation() + ", of cluster '" + cluster
                + "' at " + address;
    }
}
