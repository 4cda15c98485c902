package io.warren.core.metadata;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a user may do in a virtual host: three regular expressions, each found anywhere in the name of the object.
 *
 * <p>An empty expression allows the empty name only, as in RabbitMQ.
 */
public final class Permission {

    /** Everything. */
    public static final Permission ALL = of(".*", ".*", ".*");

    /** The operations a permission tells apart. */
    public enum Operation {
        /** Create and delete. */
        CONFIGURE,
        /** Put messages in. */
        WRITE,
        /** Take messages out. */
        READ
    }

    private final String configure;
    private final String write;
    private final String read;
    private final Pattern configurePattern;
    private final Pattern writePattern;
    private final Pattern readPattern;

    private Permission(String configure, String write, String read) {
        this.configure = configure;
        this.write = write;
        this.read = read;
        this.configurePattern = compile(configure);
        this.writePattern = compile(write);
        this.readPattern = compile(read);
    }

    /**
     * A permission of three expressions.
     *
     * @throws java.util.regex.PatternSyntaxException for an expression that is none
     */
    public static Permission of(String configure, String write, String read) {
        return new Permission(configure, write, read);
    }

    static Pattern compile(String expression) {
        return Pattern.compile(expression.isEmpty() ? "^$" : expression);
    }

    public String configure() {
        return configure;
    }

    public String write() {
        return write;
    }

    public String read() {
        return read;
    }

    boolean allows(Operation operation, String name) {
        Pattern pattern =
                switch (operation) {
                    case CONFIGURE -> configurePattern;
                    case WRITE -> writePattern;
                    case READ -> readPattern;
                };
        return pattern.matcher(name).find();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Permission that
                && configure.equals(that.configure)
                && write.equals(that.write)
                && read.equals(that.read);
    }

    @Override
    public int hashCode() {
        return java.util.Objects.hash(configure, write, read);
    }

    @Override
    public String toString() {
        return "Permission[configure=" + configure + ", write=" + write + ", read=" + read + "]";
    }
}
