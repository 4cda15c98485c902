package io.warren.mirroring.link.tcp;

/** A connection that does not become a link; the message says why, with what was given. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean duplicate;

    private Refused(String message, boolean duplicate) {
        super(message);
        this.duplicate = duplicate;
    }

    static Refused because(String why) {
        return new Refused(why, false);
    }

    /** The two have a link already: nothing is wrong. */
    static Refused duplicate() {
        return new Refused("there is a link already", true);
    }

    boolean isDuplicate() {
        return duplicate;
    }
}
