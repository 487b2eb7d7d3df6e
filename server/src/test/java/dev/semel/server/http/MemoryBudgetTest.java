// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.config.LimitSettings;
import dev.semel.server.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryBudgetTest {
    @TempDir
    Path folder;

    private MemoryBudget budget;
    private ClientAddresses addresses;

    @BeforeEach
    void limits() throws IOException {
        Path file = Files.writeString(
                folder.resolve("semel.yml"), "limits: {memory_bytes: 64000, address_bytes: 40000, connections: 4}");
        LimitSettings limits =
                SettingsReader.read(Map.of(), Optional.of(file), Map.of()).limits();
        budget = new MemoryBudget(limits);
        addresses = new ClientAddresses(limits, List.of());
    }

    private MemoryCharge charge(String address, boolean openRoute) {
        return new MemoryCharge(budget, addresses, addresses.enter(address), openRoute);
    }

    @Test
    void anAddressHoldsItsShareAndNoMore() {
        MemoryCharge one = charge("127.0.0.2", false);
        MemoryCharge two = charge("127.0.0.2", false);

        assertThat(one.tryTake(30_000)).isTrue();
        assertThat(two.tryTake(10_001)).isFalse();
        assertThat(two.tryTake(10_000)).isTrue();

        one.release();
        assertThat(two.tryTake(30_000)).isTrue();
    }

    @Test
    void theLastQuarterIsReservedForAddressesThatHoldLittle() {
        assertThat(charge("127.0.0.2", false).tryTake(40_000)).isTrue();
        assertThat(charge("127.0.0.3", false).tryTake(8_000)).isTrue();

        assertThat(charge("127.0.0.4", false).tryTake(1_001)).isFalse();
        for (int i = 5; i < 21; i++) {
            assertThat(charge("127.0.0." + i, false).tryTake(1_000)).isTrue();
        }
        assertThat(charge("127.0.0.21", false).tryTake(1)).isFalse();
    }

    @Test
    void routesWithoutATokenHoldHalfWithAReserveOfTheirOwn() {
        assertThat(charge("127.0.0.2", true).tryTake(20_000)).isTrue();
        assertThat(charge("127.0.0.3", true).tryTake(4_001)).isFalse();
        assertThat(charge("127.0.0.3", true).tryTake(4_000)).isTrue();
        for (int i = 4; i < 12; i++) {
            assertThat(charge("127.0.0." + i, true).tryTake(1_000)).isTrue();
        }
        assertThat(charge("127.0.0.12", true).tryTake(1)).isFalse();
        assertThat(charge("127.0.0.13", false).tryTake(12_001)).isTrue();
    }

    /** A large reservation that is tried and refused must not take the reserve, not even for a moment. */
    @Test
    void refusedReservationsDoNotAffectSmallOnes() throws InterruptedException {
        assertThat(charge("127.0.0.2", false).tryTake(40_000)).isTrue();
        assertThat(charge("127.0.0.3", false).tryTake(8_000)).isTrue();
        AtomicBoolean stop = new AtomicBoolean();
        Thread greedy = new Thread(() -> {
            MemoryCharge charge = charge("127.0.0.4", false);
            while (!stop.get()) {
                charge.tryTake(30_000);
            }
        });
        greedy.start();
        try {
            for (int i = 0; i < 200_000; i++) {
                MemoryCharge charge = charge("127.0.0.5", false);
                assertThat(charge.tryTake(1_000)).isTrue();
                charge.release();
            }
        } finally {
            stop.set(true);
            greedy.join();
        }
    }

    @Test
    void whatIsGivenBackIsFreeAgain() {
        for (int i = 0; i < 1_000; i++) {
            MemoryCharge charge = charge("127.0.0.2", i % 2 == 0);
            charge.take(10_000);
            assertThat(charge.tryTake(50_000)).isFalse();
            assertThat(charge.tryReplace(20_000)).isTrue();
            assertThat(charge.tryReplace(5_000)).isTrue();
            charge.giveBack(1_000);
            assertThat(budget.taken()).isEqualTo(4_000);
            charge.release();
        }
        assertThat(budget.taken()).isZero();
    }

    /** A batch may fail while it still reads lines and writes responses. */
    @Test
    void afterItsAnswerARequestTakesAndGivesBackNothing() {
        MemoryCharge charge = charge("127.0.0.2", false);
        charge.take(10_000);
        charge.release();

        assertThat(charge.tryTake(1)).isFalse();
        charge.giveBack(5_000);
        charge.release();

        assertThat(budget.taken()).isZero();
    }

    /** Otherwise the memory of other requests from the address would no longer count. */
    @Test
    void aRequestLeavesItsAddressOnce() {
        MemoryCharge one = charge("127.0.0.2", false);
        assertThat(charge("127.0.0.2", false).tryTake(30_000)).isTrue();

        one.release();
        one.release();

        assertThat(charge("127.0.0.2", false).tryTake(10_001)).isFalse();
    }

    @Test
    void whatCanNeverFitIsTooLarge() {
        MemoryCharge charge = charge("127.0.0.2", false);

        assertThatThrownBy(() -> charge.take(40_001))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().type()).isEqualTo(ProblemType.CONTENT_TOO_LARGE));
        charge.take(30_000);
        MemoryCharge other = charge("127.0.0.2", false);
        assertThatThrownBy(() -> other.take(20_000))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().type()).isEqualTo(ProblemType.BUSY));
        // Bodies arrive in parts. The whole request can never fit.
        assertThatThrownBy(() -> charge.take(10_001))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().type()).isEqualTo(ProblemType.CONTENT_TOO_LARGE));
    }

    @Test
    void anIpv6ClientIsItsNetwork() {
        assertThat(charge("2001:db8:1:2::1", false).tryTake(30_000)).isTrue();
        assertThat(charge("2001:db8:1:2:ffff::9", false).tryTake(30_000)).isFalse();
        assertThat(charge("2001:db8:1:3::1", false).tryTake(18_000)).isTrue();
    }
}
