// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.MutableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A gate for messages such as {@code "id|content"}, over a store with a movable clock and faults. */
final class GateFixture implements AutoCloseable {
    static final String SCOPE = "orders.place";
    static final Secrets SECRETS = Secrets.of("a secret of at least thirty-two bytes, for tests only");

    final MutableClock clock = MutableClock.fromNow();
    final MemoryClaimStore memory = new MemoryClaimStore(clock);
    final FaultyStore store = new FaultyStore(memory);
    final Semel semel = engine(store);
    final List<String> handled = Collections.synchronizedList(new ArrayList<>());
    final List<DeadLetter> letters = Collections.synchronizedList(new ArrayList<>());

    static Semel engine(ClaimStore store) {
        return Semel.on(store)
                .secrets(SECRETS)
                .storeTimeout(Duration.ofMillis(500))
                .withoutSweep()
                .withoutReplayCache()
                .build();
    }

    ConsumerGateBuilder<String> builder() {
        return ConsumerGate.<String>on(semel, SCOPE)
                .key(GateFixture::id)
                .maxAttempts(3)
                .deadLetters((message, letter) -> letters.add(letter));
    }

    ConsumerGate<String> gate() {
        return builder().build();
    }

    static String id(String message) {
        int bar = message.indexOf('|');
        if (bar < 0) {
            throw new IllegalArgumentException("no key");
        }
        return message.substring(0, bar);
    }

    static ClaimKey keyOf(String message) {
        return new ClaimKey(ConsumerGateBuilder.DEFAULT_TENANT, SCOPE, id(message));
    }

    MessageHandler<String> handler() {
        return (message, run) -> handled.add(message);
    }

    MessageHandler<String> failing() {
        return (message, run) -> {
            handled.add(message);
            throw new IllegalStateException("out of order");
        };
    }

    /** Another consumer claims the message and is killed while it works. */
    String claimAndDie(String message, Duration lease) {
        try (Semel other = engine(memory)) {
            ClaimOutcome outcome = other.claim(
                            keyOf(message),
                            Fingerprint.NONE,
                            Terms.DEFAULT.withLease(lease).withMaxRun(Duration.ofHours(1)),
                            Duration.ZERO)
                    .toCompletableFuture()
                    .join();
            return ((ClaimOutcome.Granted) outcome).claim().childKey("charge");
        }
    }

    @Override
    public void close() {
        store.heal();
        semel.close();
    }
}
