// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.history;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The text form of an event: the name of its record and its components, separated by tabs. */
final class HistoryLine {
    private static final Map<String, Kind> KINDS = kinds();

    private HistoryLine() {}

    /** A kind of event. Looking its components up for every event would cost more than writing it. */
    private record Kind(String name, List<Method> accessors, Constructor<?> constructor, List<Class<?>> types) {
        static Kind of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            List<Class<?>> types = new ArrayList<>();
            List<Method> accessors = new ArrayList<>();
            for (RecordComponent component : components) {
                types.add(component.getType());
                accessors.add(component.getAccessor());
            }
            try {
                return new Kind(
                        type.getSimpleName(),
                        accessors,
                        type.getDeclaredConstructor(types.toArray(new Class<?>[0])),
                        types);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new HashMap<>();
        for (Class<?> type : RecordedEvent.class.getPermittedSubclasses()) {
            kinds.put(type.getSimpleName(), Kind.of(type));
        }
        return kinds;
    }

    private static Kind kind(String name) {
        Kind kind = KINDS.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("Not an event: " + name);
        }
        return kind;
    }

    static String of(RecordedEvent event) {
        Kind kind = kind(event.getClass().getSimpleName());
        StringBuilder line = new StringBuilder(kind.name());
        try {
            for (Method accessor : kind.accessors()) {
                String value = String.valueOf(accessor.invoke(event));
                line.append('\t').append(value.replace('\t', ' ').replace('\n', ' '));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return line.append('\n').toString();
    }

    static RecordedEvent parse(String line) {
        String[] fields = line.split("\t", -1);
        Kind kind = kind(fields[0]);
        if (fields.length != kind.types().size() + 1) {
            throw new IllegalArgumentException("Not a complete event: " + line);
        }
        Object[] values = new Object[kind.types().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(kind.types().get(i), fields[i + 1]);
        }
        try {
            return (RecordedEvent) kind.constructor().newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object value(Class<?> type, String text) {
        if (type == long.class) {
            return Long.parseLong(text);
        }
        if (type == int.class) {
            return Integer.parseInt(text);
        }
        return type == Answer.class ? Answer.valueOf(text) : text;
    }
}
