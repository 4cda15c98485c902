package io.warren.core.metadata;

/** What a queue does with a publish for which its length limits leave no room (x-overflow). */
public enum Overflow {
    /** The oldest ready messages go, dead-lettered with reason maxlen. */
    DROP_HEAD("drop-head"),
    /** The publish is refused with basic.nack. */
    REJECT_PUBLISH("reject-publish"),
    /** The publish is refused and the refused message dead-lettered with reason maxlen. */
    REJECT_PUBLISH_DLX("reject-publish-dlx");

    private final String argument;

    Overflow(String argument) {
        this.argument = argument;
    }

    /** The value of x-overflow. */
    public String argument() {
        return argument;
    }
}
