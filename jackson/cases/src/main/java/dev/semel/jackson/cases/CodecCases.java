// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.claim.StoredResult;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a codec writes and reads. */
@SuppressWarnings("NullAway") // Tests pass null on purpose.
public abstract class CodecCases {
    protected CodecCases() {}

    /** The codec of a class, with the default mapper. */
    protected abstract <T> Codec<T> codec(Class<T> type);

    /** The codec of any type, with the default mapper. */
    protected abstract Codec<@Nullable Object> codec(Type type);

    @Test
    void theStoredFormIsTheSameForEveryVersionOfJackson() throws Exception {
        StoredResult stored = codec(PlacedOrder.class).encode(PlacedOrder.sample());

        assertThat(stored.type()).isEqualTo("application/json");
        assertThat(stored.text()).isEqualTo(PlacedOrder.sampleJson());
    }

    @Test
    void everyMemberIsReadBackUnchanged() throws Exception {
        assertThat(codec(PlacedOrder.class).decode(json(PlacedOrder.sampleJson())))
                .isEqualTo(PlacedOrder.sample());
    }

    @Test
    void genericTypesAreReadBackWithTheirElements() throws Exception {
        List<PlacedOrder> orders = List.of(PlacedOrder.sample(), PlacedOrder.sample());

        assertThat(roundTrip(generic(List.class, PlacedOrder.class), orders)).isEqualTo(orders);
        assertThat(roundTrip(
                        generic(Map.class, String.class, generic(List.class, Long.class)), Map.of("a", List.of(1L))))
                .isEqualTo(Map.of("a", List.of(1L)));
        assertThat(roundTrip(generic(List.class, PlacedOrder.class), List.of())).isEqualTo(List.of());
    }

    @Test
    void anOptionalIsReadBackEmptyOrPresent() throws Exception {
        Type optional = generic(Optional.class, PlacedOrder.class);

        assertThat(roundTrip(optional, Optional.empty())).isEqualTo(Optional.empty());
        assertThat(roundTrip(optional, Optional.of(PlacedOrder.sample()))).isEqualTo(Optional.of(PlacedOrder.sample()));
    }

    @Test
    void simpleTypesAreReadBack() throws Exception {
        assertThat(roundTrip(int.class, 17)).isEqualTo(17);
        assertThat(roundTrip(String.class, "")).isEqualTo("");
        assertThat(roundTrip(BigDecimal.class, new BigDecimal("10.00"))).isEqualTo(new BigDecimal("10.00"));
        assertThat(roundTrip(byte[].class, new byte[] {0, -1})).isEqualTo(new byte[] {0, -1});
        assertThat(roundTrip(Object.class, Map.of("a", List.of(true)))).isEqualTo(Map.of("a", List.of(true)));
    }

    @Test
    void anEmptyRecordIsReadBack() throws Exception {
        assertThat(roundTrip(Done.class, new Done())).isEqualTo(new Done());
    }

    @Test
    void nothingIsReadBackAsNull() throws Exception {
        assertThat(roundTrip(void.class, null)).isNull();
        assertThat(roundTrip(Void.class, null)).isNull();
        assertThat(roundTrip(void.class, "ignored")).isNull();
    }

    @Test
    void sizesAcrossBoundariesAreReadBack() throws Exception {
        for (int size : new int[] {0, 65_533, 65_534, 65_535, 65_536, 1 << 20}) {
            String text = "x".repeat(size);
            assertThat(roundTrip(String.class, text)).isEqualTo(text);
        }
    }

    @Test
    void unknownMembersAreIgnored() throws Exception {
        assertThat(codec(PlacedOrder.Line.class)
                        .decode(json("{\"item\":\"pen\",\"colour\":{\"r\":1},\"price\":2.50,\"tags\":[1]}")))
                .isEqualTo(new PlacedOrder.Line("pen", new BigDecimal("2.50")));
    }

    @Test
    void missingMembersHaveNoValue() throws Exception {
        assertThat(codec(Versioned.class).decode(json("{\"name\":\"a\"}")))
                .isEqualTo(new Versioned("a", 0, null, Optional.empty()));
    }

    @Test
    void aTypeWithoutPropertiesIsATombstoneThatNamesIt() throws Exception {
        StoredResult stored = codec(Object.class).encode(new Opaque());

        assertThat(stored.isTombstone()).isTrue();
        assertThat(stored.text())
                .startsWith("a result of type java.lang.Object cannot be stored as JSON: No serializer found for class "
                        + Opaque.class.getName());
    }

    @Test
    void aCycleIsATombstone() throws Exception {
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);

        StoredResult stored = codec(Object.class).encode(cycle);

        assertThat(stored.isTombstone()).isTrue();
        assertThat(stored.text()).contains("Document nesting depth").contains("exceeds the maximum allowed");
    }

    @Test
    void aResultThatIsTooLargeIsATombstone() throws Exception {
        int quotes = 2;
        StoredResult largest = codec(String.class).encode("x".repeat(StoredResult.MAX_BYTES - quotes));
        StoredResult larger = codec(String.class).encode("x".repeat(StoredResult.MAX_BYTES - quotes + 1));

        assertThat(largest.size()).isEqualTo(StoredResult.MAX_BYTES);
        assertThat(larger.text())
                .isEqualTo("a result of type java.lang.String cannot be stored as JSON:"
                        + " it has 16777217 bytes, and the maximum is 16777216");
    }

    @Test
    void noMessageQuotesTheValue() throws Exception {
        StoredResult stored = codec(Failing.class).encode(new Failing());

        assertThat(stored.text())
                .isEqualTo("a result of type %s cannot be stored as JSON: java.lang.IllegalStateException"
                        .formatted(Failing.class.getName()));
        assertThatThrownBy(() -> codec(int.class).decode(json("\"4111 1111\"")))
                .hasMessageStartingWith("A stored result cannot be read as int: ")
                .hasMessageNotContaining("4111")
                .hasNoCause();
    }

    @Test
    void aResultOfAnotherCodecIsRefusedWithTheFix() {
        assertThatThrownBy(() -> codec(String.class).decode(new StoredResult("text/plain", new byte[0])))
                .hasMessage("A stored result cannot be read as java.lang.String: it was stored as text/plain by another"
                        + " codec. Keep that codec, or give the operation a new scope.");
    }

    /** With default typing, each of these would create a {@link Gadget}. */
    @Test
    void storedJsonCannotNameAClassToCreate() throws Exception {
        String name = Gadget.class.getName();

        for (String attack : List.of(
                "{\"@class\":\"%s\",\"value\":1}", "{\"@type\":\"%s\",\"value\":1}", "[\"%s\",{\"value\":1}]")) {
            codec((Type) Object.class).decode(json(attack.formatted(name)));
        }

        assertThat(Gadget.CREATED).hasValue(0);
    }

    private @Nullable Object roundTrip(Type type, @Nullable Object value) throws Exception {
        return codec(type).decode(codec(type).encode(value));
    }

    private static StoredResult json(String text) {
        return new StoredResult("application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Type generic(Class<?> raw, Type... arguments) {
        return new ParameterizedType() {
            @Override
            public Type[] getActualTypeArguments() {
                return arguments.clone();
            }

            @Override
            public Type getRawType() {
                return raw;
            }

            @Override
            public @Nullable Type getOwnerType() {
                return null;
            }
        };
    }

    /** A result that only says that the work is done. */
    public record Done() {}

    /** A record to which later versions added three members. */
    public record Versioned(
            String name, int count, @Nullable String note, Optional<String> extra) {}

    /** Has nothing that can be written. */
    public static final class Opaque {
        Opaque() {}
    }

    /** Has a member that cannot be read. */
    public static final class Failing {
        Failing() {}

        @SuppressWarnings("DoNotCallSuggester") // Jackson calls it.
        public String getCard() {
            throw new IllegalStateException("card 4111 1111 is blocked");
        }
    }

    /** Notices that it was created. */
    public static final class Gadget {
        private static final AtomicInteger CREATED = new AtomicInteger();

        public Gadget() {
            CREATED.incrementAndGet();
        }

        public void setValue(int value) {
            CREATED.addAndGet(value);
        }
    }
}
