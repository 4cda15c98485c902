package io.warren.test.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Cites a bug case of the field, such as {@code NK-01}, which the contract settles. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Case.All.class)
public @interface Case {

    /** The id. */
    String value();

    /** Holds several. */
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @interface All {

        /** The ids. */
        Case[] value();
    }
}
