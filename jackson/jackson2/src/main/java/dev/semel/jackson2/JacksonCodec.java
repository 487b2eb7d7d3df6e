// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson2;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.semel.Codec;
import dev.semel.DetailsCodec;
import dev.semel.claim.StoredResult;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stores results of one type as JSON, with Jackson 2: {@code Operation.of("order.place", JacksonCodec.of(Order.class))}. Details
 * of rejections are JSON too, of any type.
 *
 * <p>Without a mapper of your own, results may contain records, {@code Optional} and {@code java.time}. The stored form is the
 * same as that of {@code semel-jackson3}, so results stay readable after a change from one to the other.
 *
 * <p>A result that cannot be written becomes a {@linkplain StoredResult#tombstone tombstone} with the cause: the work does not run
 * again. Members that the type does not know are ignored, because a newer version of the application may have written them.
 * Times keep their offset.
 */
public final class JacksonCodec<T extends @Nullable Object> implements Codec<T> {
    private final Jackson2Json json;
    private final boolean nothing;
    private final DetailsCodec details;

    private JacksonCodec(ObjectMapper mapper, JavaType type) {
        if (mapper.getDeserializationConfig().getDefaultTyper(type) != null) {
            throw new IllegalArgumentException(
                    "The mapper has default typing, so stored JSON could create objects of any class."
                            + " Pass a mapper without it, and use @JsonTypeInfo on the types that need it.");
        }
        ObjectReader reader = mapper.reader()
                .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .without(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE);
        ObjectWriter writer = mapper.writer();
        this.json = new Jackson2Json(writer.forType(type), reader.forType(type), type.toCanonical());
        this.nothing = type.hasRawClass(Void.class) || type.hasRawClass(void.class);
        this.details = new JsonDetails(writer, reader);
    }

    /** Stores results of a class that has no type parameters. */
    public static <T> JacksonCodec<T> of(Class<T> type) {
        return of(Jackson2Mapper.DEFAULT, type);
    }

    /** Stores results of a generic type: {@code JacksonCodec.of(new TypeReference<List<Order>>() {})}. */
    public static <T> JacksonCodec<T> of(TypeReference<T> type) {
        return of(Jackson2Mapper.DEFAULT, type);
    }

    /** Stores results of any type, for frameworks. */
    public static JacksonCodec<@Nullable Object> of(Type type) {
        return of(Jackson2Mapper.DEFAULT, type);
    }

    /**
     * As {@link #of(Class)}, with a mapper of your own.
     *
     * @throws IllegalArgumentException if the mapper has default typing
     */
    public static <T> JacksonCodec<T> of(ObjectMapper mapper, Class<T> type) {
        return new JacksonCodec<>(mapper, mapper.constructType(checked(type)));
    }

    /**
     * As {@link #of(TypeReference)}, with a mapper of your own.
     *
     * @throws IllegalArgumentException if the mapper has default typing
     */
    public static <T> JacksonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
        return new JacksonCodec<>(mapper, mapper.constructType(checked(type)));
    }

    /**
     * Stores results of any type, for frameworks: for example the generic return type of a method. {@code void} and {@code Void}
     * store nothing and are read as null.
     *
     * @throws IllegalArgumentException if the mapper has default typing
     */
    public static JacksonCodec<@Nullable Object> of(ObjectMapper mapper, Type type) {
        return new JacksonCodec<>(mapper, mapper.constructType(checked(type)));
    }

    private static <V> V checked(V type) {
        return Objects.requireNonNull(type, "A type must not be null");
    }

    @Override
    public StoredResult encode(T value) {
        return nothing ? StoredResult.ofNull() : json.write(value);
    }

    @Override
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // Only nothing is read as null.
    public T decode(StoredResult stored) throws IOException {
        return nothing || stored.isNull() ? null : json.read(stored);
    }

    @Override
    public DetailsCodec details() {
        return details;
    }

    private static final class JsonDetails implements DetailsCodec {
        private final ObjectWriter writer;
        private final ObjectReader reader;

        JsonDetails(ObjectWriter writer, ObjectReader reader) {
            this.writer = writer;
            this.reader = reader;
        }

        @Override
        public StoredResult encode(Object details) {
            return new Jackson2Json(writer, reader, details.getClass().getName()).write(details);
        }

        @Override
        public <D> D decode(StoredResult stored, Class<D> type) throws IOException {
            return new Jackson2Json(writer, reader.forType(type), type.getName()).read(stored);
        }
    }
}
