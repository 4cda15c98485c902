package io.warren.amqp.session;

/**
 * Who is at the other end.
 *
 * @param name what the connection is called, such as {@code 127.0.0.1:50123 -> 127.0.0.1:5672}
 * @param isLocal whether it is on this machine: only then may the user guest log in
 * @param host its address, empty where there is none
 * @param port its port, 0 where there is none
 * @param ownHost the address it came to
 * @param ownPort the port it came to
 * @param isTls whether the way between is encrypted
 */
public record Peer(String name, boolean isLocal, String host, int port, String ownHost, int ownPort, boolean isTls) {

    /** A peer without an address. */
    public static Peer local(String name) {
        return new Peer(name, true, "", 0, "", 0, false);
    }
}
