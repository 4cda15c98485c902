package io.warren.mirroring.simulation;

/**
 * One planned fault.
 *
 * @param atMs when it strikes
 * @param forMs how long it lasts, where that means something
 * @param a first node it names, by number
 * @param b second node, or a number whose meaning depends on the kind
 */
public record Fault(FaultKind kind, long atMs, long forMs, int a, int b) {
    /** As it stands in a test. */
    public String asCode() {
        return "new Fault(FaultKind." + kind + ", " + atMs + ", " + forMs + ", " + a + ", " + b + ")";
    }
}
