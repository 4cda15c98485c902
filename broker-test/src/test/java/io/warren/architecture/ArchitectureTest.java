package io.warren.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The architecture, executable: seven rules over every module on the class path.
 *
 * <p>A module that does not exist yet breaks none of them. Tests are not looked at: they may reach anything.
 */
@AnalyzeClasses(packages = "io.warren", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    /** Packages whose classes think and touch nothing: a bug in them replays from their inputs. */
    private static final String[] PURE = {
        "io.warren.routing",
        "io.warren.core.message",
        "io.warren.core.error",
        "io.warren.core.metadata",
        "io.warren.core.queue",
        "io.warren.core.channel",
        "io.warren.core.store.format",
        "io.warren.mirroring.ring",
        "io.warren.mirroring.metadata",
        "io.warren.mirroring.attachment",
        "io.warren.mirroring.queue",
        "io.warren.mirroring.metadata.format",
        "io.warren.amqp.method",
        "io.warren.amqp.session",
    };

    /** Packages made of values and functions on them. */
    private static final Set<String> VALUE_PACKAGES = Set.of(
            "java.lang",
            "java.lang.annotation",
            "java.lang.invoke",
            "java.lang.runtime",
            "java.math",
            "java.nio",
            "java.nio.charset",
            "java.time",
            "java.util",
            "java.util.function",
            "java.util.regex",
            "java.util.stream",
            "org.jspecify.annotations");

    /** Classes of those packages that run, wait, guess or load. */
    private static final Set<String> NOT_VALUES = Set.of(
            "java.lang.ClassLoader",
            "java.lang.InheritableThreadLocal",
            "java.lang.Process",
            "java.lang.ProcessBuilder",
            "java.lang.Runtime",
            "java.lang.Thread",
            "java.lang.ThreadGroup",
            "java.lang.ThreadLocal",
            "java.lang.invoke.VarHandle",
            "java.time.Clock",
            "java.util.Random",
            "java.util.Scanner",
            "java.util.ServiceLoader",
            "java.util.SplittableRandom",
            "java.util.Timer",
            "java.util.TimerTask");

    /** A digest or a checksum is a function of its input, though it lives among providers or compressors. */
    private static final Set<String> FURTHER_VALUES =
            Set.of("java.security.MessageDigest", "java.security.NoSuchAlgorithmException", "java.util.zip.CRC32C");

    private static final String CAFFEINE = "com.github.benmanes.caffeine";

    // 1. Module arrows.

    @ArchTest
    static final ArchRule ROUTING_IMPORTS_NO_MODULE =
            noDependency("routing", "core", "amqp", "mirroring", "management", "test");

    @ArchTest
    static final ArchRule CORE_IMPORTS_ROUTING_ONLY = noDependency("core", "amqp", "mirroring", "management", "test");

    @ArchTest
    static final ArchRule MODULES_ABOVE_CORE_IGNORE_ONE_ANOTHER = CompositeArchRule.of(
                    noDependency("amqp", "mirroring", "management", "test"))
            .and(noDependency("mirroring", "amqp", "management", "test"))
            .and(noDependency("management", "amqp", "mirroring", "test"));

    @ArchTest
    static final ArchRule NOTHING_IMPORTS_EXAMPLES_OR_BENCHMARKS = noClasses()
            .that()
            .resideOutsideOfPackages("io.warren.examples..", "io.warren.benchmarks..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.warren.examples..", "io.warren.benchmarks..")
            .allowEmptyShould(true);

    private static ArchRule noDependency(String module, String... others) {
        String[] packages =
                Arrays.stream(others).map(other -> "io.warren." + other + "..").toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage("io.warren." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .allowEmptyShould(true);
    }

    // 2. Pure packages.

    @ArchTest
    static final ArchRule PURE_PACKAGES_USE_VALUES_ONLY = classes()
            .that()
            .resideInAnyPackage(PURE)
            .and(doNotCacheRoutes())
            .should()
            .onlyDependOnClassesThat(valuesOrPure())
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule ONE_CLASS_OF_ROUTING_USES_THE_CACHE = classes()
            .that()
            .resideInAPackage("io.warren.routing")
            .and()
            .areTopLevelClasses()
            .should(new AtMostOneUserOf(CAFFEINE))
            .allowEmptyShould(true);

    private static DescribedPredicate<JavaClass> doNotCacheRoutes() {
        return DescribedPredicate.describe(
                "do not use the cache library", candidate -> !usesCaffeine(outermost(candidate)));
    }

    private static JavaClass outermost(JavaClass candidate) {
        JavaClass outer = candidate;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }

    private static boolean usesCaffeine(JavaClass candidate) {
        return candidate.getDirectDependenciesFromSelf().stream()
                .anyMatch(dependency ->
                        dependency.getTargetClass().getPackageName().startsWith(CAFFEINE));
    }

    private static DescribedPredicate<JavaClass> valuesOrPure() {
        DescribedPredicate<JavaClass> ours = resideInAnyPackage(PURE).or(resideInAnyPackage("io.warren.core.spi"));
        return ours.or(DescribedPredicate.describe("are values of the JDK", candidate -> {
            JavaClass component = candidate.getBaseComponentType();
            String name = component.getName();
            return component.isPrimitive()
                    || FURTHER_VALUES.contains(name)
                    || ours.test(component)
                    || (VALUE_PACKAGES.contains(component.getPackageName()) && !NOT_VALUES.contains(name));
        }));
    }

    private static final class AtMostOneUserOf extends ArchCondition<JavaClass> {
        private final String library;
        private final Set<String> users = new TreeSet<>();

        AtMostOneUserOf(String library) {
            super("be the only one to use " + library);
            this.library = library;
        }

        @Override
        public void check(JavaClass candidate, ConditionEvents events) {
            if (usesCaffeine(candidate)) {
                users.add(candidate.getSimpleName());
            }
        }

        @Override
        public void finish(ConditionEvents events) {
            if (users.size() > 1) {
                events.add(SimpleConditionEvent.violated(library, users + " use " + library));
            }
        }
    }

    // 3. Codecs know bytes, not connections.

    @ArchTest
    static final ArchRule CODECS_IGNORE_CONNECTIONS = noClasses()
            .that()
            .resideInAnyPackage("io.warren.amqp.frame", "io.warren.amqp.method", "io.warren.amqp.content")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.channel..", "io.netty.bootstrap..", "io.netty.handler..")
            .allowEmptyShould(true);

    // 4. What is internal to a module.

    @ArchTest
    static final ArchRule INTERNAL_PACKAGES_BELONG_TO_THEIR_MODULE = classes()
            .should(new ArchCondition<JavaClass>("use internal packages of their own module only") {
                @Override
                public void check(JavaClass candidate, ConditionEvents events) {
                    candidate.getDirectDependenciesFromSelf().stream()
                            .filter(dependency -> isInternal(dependency.getTargetClass()))
                            .filter(dependency ->
                                    !module(dependency.getTargetClass()).equals(module(candidate)))
                            .forEach(dependency ->
                                    events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription())));
                }
            })
            .allowEmptyShould(true);

    private static boolean isInternal(JavaClass candidate) {
        return candidate.getPackageName().startsWith("io.warren.")
                && List.of(candidate.getPackageName().split("\\.", -1)).contains("internal");
    }

    /** The third word of the package: io.warren.MODULE. */
    private static String module(JavaClass candidate) {
        String[] words = candidate.getPackageName().split("\\.", -1);
        return words.length < 3 ? "" : words[2];
    }

    // 5. No package cycles.

    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLE = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass candidate) {
                    return SliceIdentifier.of(candidate.getPackageName().replace(".core.internal", ".core"));
                }

                @Override
                public String getDescription() {
                    return "packages, core and core.internal being one";
                }
            })
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);

    // 6. Time and chance come through ports.

    private static final Map<String, Set<String>> TIME_AND_CHANCE = Map.of(
            "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
            "java.lang.Math", Set.of("random"),
            "java.time.Instant", Set.of("now"),
            "java.time.LocalDateTime", Set.of("now"),
            "java.time.ZonedDateTime", Set.of("now"),
            "java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system"),
            "java.util.UUID", Set.of("randomUUID"),
            "java.util.concurrent.ThreadLocalRandom", Set.of("current"));

    @ArchTest
    static final ArchRule TIME_AND_CHANCE_COME_THROUGH_PORTS = noClasses()
            .that(implementNoPort())
            .should()
            .callCodeUnitWhere(readsTimeOrChance())
            .orShould()
            .callConstructorWhere(target(owner(resideInAnyPackage("java.util")))
                    .and(target(owner(
                            DescribedPredicate.describe("Random without a seed", (JavaClass type) -> type.getName()
                                    .equals("java.util.Random")))))
                    .and(DescribedPredicate.describe(
                            "without arguments",
                            call -> call.getTarget().getRawParameterTypes().isEmpty())))
            .allowEmptyShould(true);

    private static DescribedPredicate<JavaClass> implementNoPort() {
        return DescribedPredicate.describe(
                "implement no port", candidate -> outermost(candidate).getAllRawInterfaces().stream()
                        .noneMatch(port -> port.getPackageName().endsWith(".spi")));
    }

    private static DescribedPredicate<JavaCall<?>> readsTimeOrChance() {
        return DescribedPredicate.describe("reads a clock or draws at random", call -> TIME_AND_CHANCE
                .getOrDefault(call.getTargetOwner().getName(), Set.of())
                .contains(call.getTarget().getName()));
    }

    // 7. No shared state in classes.

    @ArchTest
    static final ArchRule STATIC_FIELDS_ARE_FINAL_AND_IMMUTABLE = fields().that()
            .areStatic()
            .and()
            .doNotHaveModifier(JavaModifier.SYNTHETIC)
            .should()
            .beFinal()
            .andShould(new ArchCondition<JavaField>("have an immutable type") {
                @Override
                public void check(JavaField field, ConditionEvents events) {
                    if (isMutable(field.getRawType())) {
                        events.add(SimpleConditionEvent.violated(
                                field,
                                field.getFullName() + " is a "
                                        + field.getRawType().getName()));
                    }
                }
            })
            .allowEmptyShould(true);

    /** The interfaces List, Set and Map count as immutable, made by of or copyOf; their implementations do not. */
    private static boolean isMutable(JavaClass type) {
        if (type.isArray()) {
            return true;
        }
        if (type.getPackageName().startsWith("io.warren.")) {
            return !type.isInterface()
                    && !type.isEnum()
                    && type.getAllFields().stream()
                            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                            .anyMatch(field -> !field.getModifiers().contains(JavaModifier.FINAL));
        }
        boolean isCollection =
                !type.isInterface() && (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class));
        boolean isShared = type.getPackageName().startsWith("java.util.concurrent") && !type.isEnum();
        return isCollection || isShared || MUTABLE.contains(type.getName());
    }

    private static final Set<String> MUTABLE = Set.of(
            "java.lang.StringBuilder",
            "java.lang.StringBuffer",
            "java.lang.ThreadLocal",
            "java.nio.ByteBuffer",
            "java.util.BitSet",
            "java.util.Date",
            "java.util.Random");
}
