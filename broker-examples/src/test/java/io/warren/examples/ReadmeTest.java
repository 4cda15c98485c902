package io.warren.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every Java snippet of the README compiles as it stands there, and does what it says. */
class ReadmeTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS_NAME =
            Pattern.compile("^(?:public )?(?:final )?class (\\w+)", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> shouldCompileAndRun() throws Exception {
        List<String> snippets = snippets();
        assertThat(snippets).hasSizeGreaterThanOrEqualTo(3);

        return snippets.stream()
                .map(snippet -> DynamicTest.dynamicTest(className(snippet), () -> compileAndRun(snippet)));
    }

    private static List<String> snippets() throws Exception {
        List<String> snippets = new ArrayList<>();
        Matcher matcher = SNIPPET.matcher(Files.readString(Path.of("..", "README.md")));
        while (matcher.find()) {
            snippets.add(matcher.group(1));
        }
        return snippets;
    }

    private static String className(String snippet) {
        Matcher matcher = CLASS_NAME.matcher(snippet);
        assertThat(matcher.find()).as("a class in the snippet:%n%s", snippet).isTrue();
        return matcher.group(1);
    }

    private void compileAndRun(String snippet) throws Exception {
        Path source = folder.resolve(className(snippet) + ".java");
        Files.writeString(source, snippet);
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(failed).as("compiler's errors are above").isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            run(loader.loadClass(className(snippet)));
        }
    }

    private static void run(Class<?> snippet) throws Exception {
        int ran = 0;
        for (Method method : snippet.getDeclaredMethods()) {
            method.setAccessible(true);
            if (method.isAnnotationPresent(Test.class)) {
                var constructor = snippet.getDeclaredConstructor();
                constructor.setAccessible(true);
                method.invoke(constructor.newInstance());
                ran++;
            } else if (method.getName().equals("main")) {
                method.invoke(null, (Object) new String[0]);
                ran++;
            }
        }
        assertThat(ran).as("tests or main methods in the snippet").isPositive();
    }
}
