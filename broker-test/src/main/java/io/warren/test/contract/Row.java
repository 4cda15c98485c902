package io.warren.test.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Cites a row of the feature table, such as {@code A7}, for which the contract, or every contract of the class, stands. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Row.All.class)
public @interface Row {

    /** The id. */
    String value();

    /** Holds several. */
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @interface All {

        /** The ids. */
        Row[] value();
    }
}
