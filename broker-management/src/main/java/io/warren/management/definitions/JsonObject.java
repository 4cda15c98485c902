package io.warren.management.definitions;

import io.warren.core.message.FieldTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of a definitions file, read field by field; what is missing or of another type is refused with its place. */
final class JsonObject {

    private final String place;
    private final Map<?, ?> fields;

    /** @param place where it stands, such as {@code queues[3]} */
    JsonObject(String place, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> object)) {
            throw new IllegalArgumentException(place + " is not an object");
        }
        this.place = place;
        this.fields = object;
    }

    String place() {
        return place;
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    /** A text that must be there. */
    String text(String name) {
        return of(String.class, name);
    }

    String text(String name, String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    boolean truth(String name, boolean otherwise) {
        return has(name) ? of(Boolean.class, name) : otherwise;
    }

    long number(String name, long otherwise) {
        return has(name) ? of(Long.class, name) : otherwise;
    }

    private <T> T of(Class<T> type, String name) {
        Object value = fields.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    place + ": '" + name + "' must be a " + type.getSimpleName() + ", was " + value);
        }
        return type.cast(value);
    }

    /** An object within, empty if there is none. */
    JsonObject object(String name) {
        return new JsonObject(place + "." + name, has(name) ? fields.get(name) : Map.of());
    }

    /** The objects of an array, none if it is not there. */
    List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        for (Object element : array(name)) {
            objects.add(new JsonObject(place(name) + "[" + objects.size() + "]", element));
        }
        return objects;
    }

    boolean isArray(String name) {
        return fields.get(name) instanceof List;
    }

    List<?> array(String name) {
        return has(name) ? of(List.class, name) : List.of();
    }

    private String place(String name) {
        return place.isEmpty() ? name : place + "." + name;
    }

    /** An object within as arguments; numbers are 64 bits wide, as RabbitMQ makes them of JSON. */
    FieldTable table(String name) {
        // RabbitMQ writes an empty object as an empty array here and there.
        if (!has(name) || (fields.get(name) instanceof List<?> list && list.isEmpty())) {
            return FieldTable.EMPTY;
        }
        FieldTable table = FieldTable.EMPTY;
        for (Map.Entry<?, ?> field : object(name).fields.entrySet()) {
            table = table.with(String.valueOf(field.getKey()), field.getValue());
        }
        return table;
    }
}
