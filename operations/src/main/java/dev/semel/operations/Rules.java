// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.payload.Keep;
import dev.semel.payload.redact.AllowList;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.redact.Sanitiser;
import java.time.Duration;
import java.util.Objects;

/**
 * For how long, and in which form.
 *
 * @param terms lease, longest run, TTL, and what happens when an owner disappears: run again, or park
 * @param patience how long a duplicate waits for the running one's answer; by default not at all
 * @param keep in which form a result is stored; the first caller gets its own full answer whatever is chosen
 * @param sanitiser what may be stored in the clear, where results are stored sanitised
 */
public record Rules(Terms terms, Duration patience, Keep keep, Sanitiser sanitiser) {
    private static final Duration LONGEST_PATIENCE = Duration.ofHours(24);

    /** Operations: kept for a day, only what is safe to show a customer. */
    public static final Rules OPERATION =
            new Rules(Terms.DEFAULT, Duration.ZERO, Keep.SANITISED, AllowList.CUSTOMER_SAFE);

    /** Steps: kept for a day, exactly as they were, sealed. */
    public static final Rules STEP = new Rules(Terms.DEFAULT, Duration.ZERO, Keep.SEALED, Redaction.DEFAULT);

    /** Payments: kept for a day, without what is sensitive, telephone numbers masked. */
    public static final Rules PAYMENT = new Rules(Terms.DEFAULT, Duration.ZERO, Keep.SANITISED, Redaction.DEFAULT);

    public Rules {
        Objects.requireNonNull(terms, "Terms must not be null");
        Objects.requireNonNull(patience, "Patience must not be null: Duration.ZERO is none");
        Objects.requireNonNull(keep, "Keep must not be null");
        Objects.requireNonNull(sanitiser, "A sanitiser must not be null");
        if (patience.isNegative() || patience.compareTo(LONGEST_PATIENCE) > 0) {
            throw new IllegalArgumentException("Patience must be between 0 and 24 hours, but is " + patience);
        }
        if (terms.onStale() == StalePolicy.RECONCILE) {
            throw new IllegalArgumentException(
                    "Reconciling needs a probe, which these rules do not have: use Semel.execute with"
                            + " Operation.reconcileWhenStale(probe)");
        }
    }

    /** How many hours a result is kept, counted from when it was settled. */
    public Rules ttlHours(int hours) {
        return with(terms.withTtl(Duration.ofHours(positive("A TTL in hours", hours))));
    }

    /** Results are kept for ever. */
    public Rules withoutExpiry() {
        return with(terms.withoutExpiry());
    }

    /**
     * After how many minutes without a sign of life another caller may take over. A process that lives renews its claim
     * by itself, for up to twelve times as long.
     */
    public Rules staleTakeoverMinutes(int minutes) {
        return with(terms.withLease(Duration.ofMinutes(positive("A stale take-over in minutes", minutes))));
    }

    /** Nobody takes over when an owner disappears: the outcome is unknown until a person decides. */
    public Rules parkWhenStale() {
        return with(terms.withOnStale(StalePolicy.PARK));
    }

    /** Other terms altogether. */
    public Rules with(Terms other) {
        return new Rules(other, patience, keep, sanitiser);
    }

    /** How long a duplicate waits for the running one's answer, instead of being told at once. */
    public Rules waitingUpTo(Duration wait) {
        return new Rules(terms, wait, keep, sanitiser);
    }

    public Rules keep(Keep form) {
        return new Rules(terms, patience, form, sanitiser);
    }

    /** Stored in the clear, as far as this lets it through. */
    public Rules sanitisedBy(Sanitiser other) {
        return new Rules(terms, patience, Keep.SANITISED, other);
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s must be at least 1, but is %d".formatted(name, value));
        }
        return value;
    }
}
