// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;

/** Short forms for one command on one store. */
final class Claimed {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Claimed() {}

    static ClaimRef newRef() {
        byte[] digest = new byte[Digest.LENGTH];
        RANDOM.nextBytes(digest);
        return new ClaimRef("tenant", new Digest(digest));
    }

    static Verdict verdict(ClaimStore store, Command command) {
        return store.apply(List.of(command)).get(0);
    }

    static Verdict.Applied applied(ClaimStore store, Command command) {
        return assertInstanceOf(Verdict.Applied.class, verdict(store, command));
    }

    static Snapshot refused(ClaimStore store, Command command) {
        return Objects.requireNonNull(
                assertInstanceOf(Verdict.Refused.class, verdict(store, command)).claim());
    }

    static Snapshot read(ClaimStore store, ClaimRef ref) {
        return Objects.requireNonNull(store.read(List.of(ref)).get(ref));
    }
}
