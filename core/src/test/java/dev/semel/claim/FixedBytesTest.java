// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FixedBytesTest {
    record Kind(String name, int length, Function<byte[], FixedBytes> constructor) {
        FixedBytes filledWith(int value) {
            return constructor.apply(bytes(length, value));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("A digest", 32, Digest::new),
                new Kind("A fingerprint", 32, Fingerprint::new),
                new Kind("An owner token", 16, OwnerToken::new),
                new Kind("A record id", 16, RecordId::new));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void hasExactlyItsLength(Kind kind) {
        assertThat(kind.filledWith(7).bytes()).isEqualTo(bytes(kind.length(), 7));
        for (int wrong : new int[] {0, kind.length() - 1, kind.length() + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kind.constructor().apply(new byte[wrong]))
                    .withMessage("%s must be exactly %d bytes, but has %d", kind.name(), kind.length(), wrong);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void refusesNull(Kind kind) {
        assertThatNullPointerException()
                .isThrownBy(() -> kind.constructor().apply(Missing.value()))
                .withMessage("%s must not be null", kind.name());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void cannotBeChangedFromOutside(Kind kind) {
        byte[] given = bytes(kind.length(), 7);
        FixedBytes value = kind.constructor().apply(given);

        given[0] = 0;
        value.bytes()[0] = 0;

        assertThat(value.bytes()).isEqualTo(bytes(kind.length(), 7));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isEqualWhereItsBytesAre(Kind kind) {
        assertThat(kind.filledWith(7)).isEqualTo(kind.filledWith(7)).hasSameHashCodeAs(kind.filledWith(7));
        assertThat(kind.filledWith(7)).isNotEqualTo(kind.filledWith(8)).isNotEqualTo("07".repeat(kind.length()));
        assertThat(kind.filledWith(7).hashCode())
                .isNotEqualTo(kind.filledWith(8).hashCode());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isNeverEqualToAnotherKind(Kind kind) {
        assertThat(kinds().map(other -> other.filledWith(7)).filter(kind.filledWith(7)::equals))
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isWrittenInLowerCaseHexadecimal(Kind kind) {
        assertThat(kind.filledWith(0xAB).hex()).isEqualTo("ab".repeat(kind.length()));
    }

    @Test
    void isReadBackFromHexadecimal() {
        assertThat(Digest.ofHex("ab".repeat(32))).isEqualTo(new Digest(bytes(32, 0xAB)));
        assertThat(OwnerToken.ofHex("ab".repeat(16))).isEqualTo(new OwnerToken(bytes(16, 0xAB)));
    }

    @Test
    void digestsAreOrderedAsUnsignedBytes() {
        Digest low = new Digest(bytes(32, 0x7F));
        Digest high = new Digest(bytes(32, 0x80));

        assertThat(low).isLessThan(high);
        assertThat(high).isGreaterThan(low);
        assertThat(low).isEqualByComparingTo(new Digest(bytes(32, 0x7F)));
    }

    @Test
    void randomOnesAreNeverTheSame() {
        Set<FixedBytes> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            seen.add(OwnerToken.random());
            seen.add(RecordId.random());
        }

        assertThat(seen).hasSize(2_000);
    }

    @Test
    void secretsAreNotShown() {
        assertThat(new OwnerToken(bytes(16, 0xAB))).hasToString("OwnerToken[hidden]");
        assertThat(new RecordId(bytes(16, 0xAB))).hasToString("RecordId[hidden]");
    }

    @Test
    void digestsShowTheirFirstSixteenDigits() {
        assertThat(Digest.ofHex("0123456789abcdef" + "f".repeat(48))).hasToString("0123456789abcdef");
    }

    private static byte[] bytes(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
