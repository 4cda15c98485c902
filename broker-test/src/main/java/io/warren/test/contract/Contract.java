package io.warren.test.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that runs once on every active deployment and gets it as its {@link Deployment} parameter. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(ContractExtension.class)
public @interface Contract {

    /** Skipped where the deployment does not offer all of these. */
    Capability[] needs() default {};

    /** Why the deployment that decides what is right cannot show this, where Warren does better on purpose; else empty. */
    String notOnReference() default "";
}
