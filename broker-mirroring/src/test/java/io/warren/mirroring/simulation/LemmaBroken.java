package io.warren.mirroring.simulation;

/** A lemma of the ring's essay does not hold. */
@SuppressWarnings("serial")
public final class LemmaBroken extends RuntimeException {
    private final int lemma;

    LemmaBroken(int lemma, String message) {
        super("lemma " + lemma + ": " + message);
        this.lemma = lemma;
    }

    public int lemma() {
        return lemma;
    }
}
