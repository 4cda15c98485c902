package io.warren.mirroring.link.tcp;

/** Bytes that are no message of this protocol; the link they came over is cut, and the message logged. */
final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
        super(message);
    }
}
