// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** On a virtual clock: a server, and processes whose own clocks have nothing in common with it. */
class DynamoClockTest {
    private static final long SECOND = 1_000_000;

    /** The server's time in microseconds. */
    private long server = 1_800_000_000L * SECOND + 123_456;

    /** Time that passes for everybody, in nanoseconds. */
    private long elapsed;

    /** A process with a monotonic clock of its own. */
    private final class Process {
        private final long origin;
        private final double rate;
        private final DynamoClock clock;

        /** @param drift how much faster its clock runs, in parts per million */
        Process(Duration origin, int drift) {
            this.origin = origin.toNanos();
            this.rate = 1 + drift / 1e6;
            this.clock = new DynamoClock(() -> this.origin + (long) (elapsed * rate));
        }

        void ask(long forthMicros, long backMicros) {
            long sent = clock.ticks();
            pass(forthMicros);
            long date = Math.floorDiv(server, SECOND) * SECOND;
            pass(backMicros);
            clock.observe(sent, clock.ticks(), date);
        }

        /** An answer whose date is wrong by this much. */
        void mislead(long byMicros) {
            server += byMicros;
            ask(1_000, 1_000);
            server -= byMicros;
        }

        ClockReading now() {
            return Objects.requireNonNull(clock.now(), "The time is unknown");
        }

        boolean knows() {
            return clock.now() != null;
        }

        void isRight() {
            assertThat(server).isBetween(now().earliest(), now().latest());
        }

        long width() {
            return now().latest() - now().earliest();
        }
    }

    private Process process() {
        return new Process(Duration.ofHours(7), 0);
    }

    private void pass(long micros) {
        server += micros;
        elapsed += micros * 1_000;
    }

    @Test
    void theTimeIsUnknownUntilTwoAnswersAgree() {
        Process process = process();

        assertThat(process.knows()).isFalse();
        process.ask(2_000, 3_000);
        assertThat(process.knows()).isFalse();
        process.ask(2_000, 3_000);

        process.isRight();
        assertThat(process.width()).isBetween(1L, SECOND + 10_000);
    }

    @Test
    void theBoundsAlwaysContainTheServersTimeAndBecomeNarrow() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Process process = new Process(Duration.ofHours(random.nextInt(100_000)), random.nextInt(201) - 100);
            for (int i = 0; i < 60; i++) {
                process.ask(random.nextInt(40_000), random.nextInt(40_000));
                pass(random.nextInt(100_000));
                if (i > 0) {
                    process.isRight();
                }
            }
            assertThat(process.width()).as("seed %d", seed).isLessThan(250_000);
        }
    }

    @Test
    void processesWhoseClocksAreHoursApartAgree() {
        List<Process> processes = new ArrayList<>();
        for (int hours : new int[] {-100_000, -3, 0, 5, 200_000}) {
            processes.add(new Process(Duration.ofHours(hours), hours % 100));
        }
        for (int i = 0; i < 50; i++) {
            for (Process process : processes) {
                process.ask(3_000, 4_000);
                pass(20_000);
            }
        }
        for (Process process : processes) {
            process.isRight();
            for (Process other : processes) {
                assertThat(Math.abs(process.now().latest() - other.now().latest()))
                        .isLessThan(SECOND);
            }
        }
    }

    /** One writes a lease, another one takes over: whatever they know of the time, the lease has really ended. */
    @Test
    void nobodyTakesOverBeforeALeaseHasEnded() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Process owner = new Process(Duration.ofHours(random.nextInt(1_000)), 150);
            Process other = new Process(Duration.ofHours(random.nextInt(1_000)), -150);
            for (int i = random.nextInt(40); i >= -1; i--) {
                owner.ask(random.nextInt(2_000), random.nextInt(2_000));
                other.ask(random.nextInt(200_000), random.nextInt(200_000));
            }
            long lease = 1_000 + random.nextInt(5_000_000);
            long until = owner.now().latest() + lease;
            long end = server + lease;
            while (!other.now().isOver(until)) {
                pass(10_000);
                if (seed % 2 == 0) {
                    other.ask(random.nextInt(5_000), random.nextInt(5_000));
                }
            }
            assertThat(server).as("seed %d", seed).isGreaterThanOrEqualTo(end + ClockReading.MARGIN);
            assertThat(server)
                    .as("seed %d", seed)
                    .isLessThan(end + ClockReading.MARGIN + 2 * ClockReading.MAX_WIDTH + SECOND);
        }
    }

    @Test
    void aPastMomentIsOverForEveryProcess() {
        Process one = process();
        Process other = new Process(Duration.ofHours(-9), 0);
        one.ask(900_000, 0);
        one.ask(900_000, 0);
        other.ask(0, 900_000);
        other.ask(0, 900_000);

        assertThat(other.now().isOver(one.now().past())).isTrue();
        assertThat(one.now().isOver(other.now().past())).isTrue();
    }

    @Test
    void aSlowAnswerAloneTellsTooLittle() {
        Process process = process();

        process.ask(5 * SECOND, 5 * SECOND);
        assertThat(process.knows()).isFalse();

        process.ask(1_000, 1_000);
        process.isRight();
        process.ask(20 * SECOND, 10);
        process.isRight();
    }

    @Test
    void aWrongAnswerIsIgnored() {
        for (long wrong : new long[] {-3_600 * SECOND, -10 * SECOND, 10 * SECOND, 3_600 * SECOND}) {
            Process process = process();
            for (int i = 0; i < 20; i++) {
                process.ask(1_000, 1_000);
                process.ask(1_000, 1_000);
                process.mislead(wrong);
                process.isRight();
            }
        }
    }

    @Test
    void aWrongFirstAnswerIsNotBelieved() {
        for (long wrong : new long[] {-3_600 * SECOND, 3_600 * SECOND}) {
            Process process = process();
            process.mislead(wrong);
            for (int i = 0; i < DynamoClock.AGREEING; i++) {
                assertThat(process.knows()).isFalse();
                process.ask(1_000, 1_000);
            }
            process.isRight();
        }
    }

    /** Some servers are wrong, in the same way. They never have the last word, as long as others answer. */
    @Test
    void aFewWrongAnswersInARowAreIgnored() {
        Process process = process();
        process.ask(1_000, 1_000);
        for (int i = 0; i < 20; i++) {
            process.ask(1_000, 1_000);
            for (int j = 1; j < DynamoClock.AGREEING; j++) {
                process.mislead(60 * SECOND);
            }
            process.isRight();
        }
    }

    @Test
    void manyWrongAnswersThatContradictEachOtherAreIgnored() {
        Process process = process();
        process.ask(1_000, 1_000);
        process.ask(1_000, 1_000);
        for (int i = 1; i < 20; i++) {
            process.mislead(i * 10 * SECOND);
            process.isRight();
        }
    }

    @Test
    void theTimeIsLearntAnewWhenTheServersClockIsSet() {
        for (long jump : new long[] {-3_600 * SECOND, -4 * SECOND, 4 * SECOND, 3_600 * SECOND}) {
            Process process = process();
            for (int i = 0; i < 100; i++) {
                process.ask(5_000, 5_000);
                pass(50_000);
            }
            server += jump;
            for (int i = 0; i < DynamoClock.AGREEING; i++) {
                process.ask(5_000, 5_000);
            }
            process.isRight();
        }
    }

    /** The answers that replace the others are slow: they agree, but tell too little. */
    @Test
    void afterASlowChangeTheTimeIsUnknown() {
        Process process = process();
        process.ask(1_000, 1_000);
        process.ask(1_000, 1_000);
        server += 3_600 * SECOND;
        for (int i = 0; i < DynamoClock.AGREEING; i++) {
            process.ask(3 * SECOND, 3 * SECOND);
        }

        assertThat(process.knows()).isFalse();
        process.ask(1_000, 1_000);
        process.isRight();
    }

    @Test
    void withoutAnswersTheBoundsWidenUntilTheTimeIsUnknown() {
        Process process = new Process(Duration.ofHours(1), 150);
        for (int i = 0; i < 100; i++) {
            process.ask(1_000, 1_000);
            pass(50_000);
        }
        long before = process.width();

        pass(600 * SECOND);
        process.isRight();
        assertThat(process.width()).isGreaterThan(before + SECOND / 10);

        pass(24 * 3_600 * SECOND);
        assertThat(process.knows()).isFalse();
        process.ask(1_000, 1_000);
        process.isRight();
    }

    /** A lease that was written by it must not end before one that was written earlier. */
    @Test
    void theLatestTimeNeverGoesBack() {
        Process process = process();
        long last = 0;
        process.ask(20_000, 10_000);
        for (int i = 0; i < 200; i++) {
            process.ask(20_000, 10_000);
            assertThat(process.now().latest()).isGreaterThanOrEqualTo(last);
            last = process.now().latest();
        }
    }

    @Test
    void whatIsLeftIsZeroOnlyIfItIsOver() {
        ClockReading now = new ClockReading(10 * SECOND, 10 * SECOND + 300_000);

        assertThat(now.left(8 * SECOND)).isZero();
        assertThat(now.left(8 * SECOND + 1)).isEqualTo(1);
        assertThat(now.left(10 * SECOND)).isEqualTo(SECOND);
        assertThat(now.left(60 * SECOND)).isEqualTo(49 * SECOND + 700_000);
    }

    /** It stood still and does not know it yet. What owners rely on must not depend on that. */
    @Test
    void anAnswerThatContradictsTheOthersBoundsWhatOwnersRelyOn() {
        Process process = process();
        process.ask(1_000, 1_000);
        process.ask(1_000, 1_000);
        server += 7 * SECOND;

        process.ask(1_000, 1_000);

        assertThat(process.now().latest()).isLessThan(server);
        assertThat(process.clock.latestOfAll()).isBetween(server, server + SECOND + 3_000);
    }

    @Test
    void anAnswerThatWasWrongBoundsNothingOnceTheOthersGoOn() {
        Process process = process();
        process.ask(1_000, 1_000);
        process.ask(1_000, 1_000);
        process.mislead(3_600 * SECOND);
        assertThat(process.clock.latestOfAll()).isGreaterThan(server + 3_000 * SECOND);

        process.ask(1_000, 1_000);

        assertThat(process.clock.latestOfAll()).isEqualTo(process.now().latest());
    }

    @Test
    void nothingBoundsWhatOwnersRelyOnBeforeTheFirstAnswer() {
        assertThat(process().clock.latestOfAll()).isEqualTo(Long.MIN_VALUE);
    }
}
