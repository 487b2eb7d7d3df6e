// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import static dev.semel.test.SemelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code of docs/testing.md, which this class compiles, runs and compares with the document. */
class QuickStartTest {
    static class Shop {
        static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());

        final List<String> charges = new ArrayList<>(); // what the payment provider received
        private final Semel semel;

        Shop(Semel semel) {
            this.semel = semel;
        }

        Outcome<String> charge(String order, int cents) {
            return semel.execute(CHARGE, CHARGE.key("acme", order), run -> {
                if (cents > 100_00) {
                    return run.reject("INSUFFICIENT_FUNDS");
                }
                charges.add(run.childKey("charge"));
                return "receipt of " + order;
            });
        }
    }

    @Nested
    @SemelTest
    class ShopTest {
        private final TestSemel semel;
        private final Shop shop;

        ShopTest(TestSemel semel) {
            this.semel = semel;
            this.shop = new Shop(semel.semel());
        }

        @Test
        void aSecondClickReceivesTheSameReceipt() {
            assertThat(shop.charge("order-17", 50_00)).ranNow();
            assertThat(shop.charge("order-17", 50_00)).isReplayed().hasValue("receipt of order-17");
            assertThat(semel.history()).ranOnce();
        }

        @Test
        void aRejectionIsReplayedToo() {
            assertThat(shop.charge("order-17", 200_00)).ranNow().isRejectedWith("INSUFFICIENT_FUNDS");
            assertThat(shop.charge("order-17", 200_00)).isReplayed().isRejectedWith("INSUFFICIENT_FUNDS");
        }

        @Test
        void eightClicksAtTheSameMomentChargeOnce() {
            AtOnce<Outcome<String>> clicks = semel.atOnce(8, () -> shop.charge("order-17", 50_00));

            assertThat(clicks.returned())
                    .filteredOn(Outcome.InProgress.class::isInstance)
                    .hasSize(7);
            assertThat(shop.charges).hasSize(1);
        }

        @Test
        void afterACrashTheProviderReceivesTheSameKey() {
            semel.crashBeforeSettlement(() -> shop.charge("order-17", 50_00));
            assertThat(shop.charge("order-17", 50_00)).isInProgress();

            semel.advance(Duration.ofMinutes(5)); // the lease of the dead owner ends
            assertThat(shop.charge("order-17", 50_00)).ranNow();

            assertThat(shop.charges).hasSize(2);
            assertThat(shop.charges.get(1)).isEqualTo(shop.charges.get(0));
        }

        @Test
        void withoutTheStoreNothingIsCharged() {
            semel.storeDown();
            assertThat(shop.charge("order-17", 50_00)).isUnavailable();
            assertThat(shop.charges).isEmpty();
        }
    }

    /** The document shows both classes as they are above. */
    @ParameterizedTest
    @ValueSource(strings = {"Shop", "ShopTest"})
    void theDocumentShowsThisClass(String name) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("src/test/java/dev/semel/test/QuickStartTest.java"));
        Pattern start = Pattern.compile("    (static )?class " + name + " \\{");
        int first = 0;
        while (!start.matcher(lines.get(first)).matches()) {
            first++;
        }
        int last = lines.subList(first, lines.size()).indexOf("    }") + first;
        StringBuilder shown = new StringBuilder("class " + name + " {\n");
        for (String line : lines.subList(first + 1, last + 1)) {
            shown.append(line.isEmpty() ? "" : line.substring(4)).append('\n');
        }

        assertThat(Files.readString(Path.of("../docs/testing.md"))).contains(shown);
    }
}
