// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the claim of a message that is given up stores. Its id is new each time a message is given up, so that a message which
 * an operator released and which fails again reaches the sink again.
 */
record StoredLetter(String id, int attempts, DeadLetter.Reason reason, String detail) {
    private static final String TYPE = "semel/dead-letter";
    private static final int FIELDS = 4;

    static StoredLetter of(Throwable failure, int attempt) {
        if (failure instanceof AttemptsExhaustedException) {
            return fresh(
                    attempt - 1, DeadLetter.Reason.ATTEMPTS_EXHAUSTED, "the consumer of the last attempt disappeared");
        }
        return fresh(
                attempt, DeadLetter.Reason.PERMANENT_FAILURE, failure.getClass().getName());
    }

    StoredLetter because(DeadLetter.Reason other) {
        return new StoredLetter(id, attempts, other, detail);
    }

    private static StoredLetter fresh(int attempts, DeadLetter.Reason reason, String detail) {
        return new StoredLetter(UUID.randomUUID().toString(), attempts, reason, detail);
    }

    StoredResult stored() {
        String text = "%s %d %s %s".formatted(id, attempts, reason.name(), detail);
        return new StoredResult(TYPE, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Empty if another program settled the claim as failed. */
    static Optional<StoredLetter> read(@Nullable StoredResult stored) {
        if (stored == null || stored.isOmitted() || !stored.type().equals(TYPE)) {
            return Optional.empty();
        }
        String[] fields = stored.text().split(" ", FIELDS);
        try {
            return Optional.of(new StoredLetter(
                    fields[0], Integer.parseInt(fields[1]), DeadLetter.Reason.valueOf(fields[2]), fields[3]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
