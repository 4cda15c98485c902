package io.warren.test.mirrored;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The scenarios that a test is about, as T17 or P2: rows of docs/mirroring-scenarios.md. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Scenario {
    String[] value();
}
