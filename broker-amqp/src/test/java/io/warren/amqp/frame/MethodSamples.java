package io.warren.amqp.frame;

import io.warren.amqp.method.Method;
import io.warren.core.message.FieldTable;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/** One of every method there is, with arguments that differ from one another. */
final class MethodSamples {

    private MethodSamples() {}

    static Stream<Method> all() {
        return Arrays.stream(Method.class.getPermittedSubclasses())
                .flatMap(family -> Arrays.stream(family.getPermittedSubclasses()))
                .map(MethodSamples::sample);
    }

    private static Method sample(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            arguments[i] = argument(components[i], i);
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return (Method) constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type.getName(), e);
        }
    }

    private static Object argument(RecordComponent component, int index) {
        Class<?> type = component.getType();
        if (type == int.class) {
            return 200 + index;
        }
        if (type == long.class) {
            return component.getName().equals("deliveryTag") ? Long.MAX_VALUE - index : 4_000_000_000L + index;
        }
        if (type == boolean.class) {
            return index % 2 == 0;
        }
        if (type == String.class) {
            return "name-é-" + index;
        }
        if (type == ByteBuffer.class) {
            return ByteBuffer.wrap(new byte[] {0, 1, (byte) index});
        }
        return FieldTable.of(Map.of("k" + index, index));
    }
}
