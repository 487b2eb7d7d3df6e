// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.key.Secrets;
import dev.semel.replay.ReplayCache;
import dev.semel.spi.CacheEpoch;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How {@link Journal} are to be. */
public final class JournalBuilder {
    final DataSource dataSource;
    int threads = 4;
    OnMismatch onMismatch = OnMismatch.REPORT;
    boolean writeSignatureHash = true;
    Duration patience = Duration.ofSeconds(10);
    Duration statementTimeout = Duration.ofSeconds(2);

    Duration inboxRetention = Duration.ofDays(30);

    @Nullable
    Secrets inboxSecrets;

    @Nullable
    ReplayCache cache;

    @Nullable
    CacheEpoch epochs;

    JournalBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "A data source must not be null");
    }

    /** How many threads write; half as many read. Default 4. Each needs a connection while it works. */
    public JournalBuilder threads(int number) {
        if (number < 1 || number > 256) {
            throw new IllegalArgumentException("threads must be 1 to 256, but is " + number);
        }
        threads = number;
        return this;
    }

    /** What is said to a ledger key that was used before, with another event. Default {@link OnMismatch#REPORT}. */
    public JournalBuilder onMismatch(OnMismatch answer) {
        onMismatch = Objects.requireNonNull(answer, "An answer must not be null");
        return this;
    }

    /**
     * Whether calls are stored with their signature's hash, and so deduplicated. Default true; false is the first step
     * of a rollback of the whole feature, and then neither the cache nor the index is asked.
     */
    public JournalBuilder writeSignatureHash(boolean write) {
        writeSignatureHash = write;
        return this;
    }

    /**
     * A cache that answers repeats without the database. It never decides: it is filled after the commit only, and what
     * it does not know, or not in time, the database is asked.
     *
     * @param epoch lives in the same database as the records; see {@code JdbcClaimStore}
     */
    public JournalBuilder replayCache(ReplayCache kept, CacheEpoch epoch) {
        cache = Objects.requireNonNull(kept, "A cache must not be null");
        epochs = Objects.requireNonNull(epoch, "A cache needs an epoch to go by");
        return this;
    }

    /**
     * With a webhook inbox. Needs the tables of claims too, in the same database, which must not be MySQL.
     *
     * @param secrets seal what is stored and name its claims; previous ones still open what they sealed
     */
    public JournalBuilder inbox(Secrets secrets) {
        inboxSecrets = Objects.requireNonNull(secrets, "An inbox needs secrets to seal by");
        return this;
    }

    /** How long events stay in the inbox after they were acknowledged. Default 30 days; others stay for ever. */
    public JournalBuilder inboxRetention(Duration afterAcknowledgement) {
        if (afterAcknowledgement.isNegative() || afterAcknowledgement.toDays() > 36_500) {
            throw new IllegalArgumentException(
                    "inboxRetention must be 0 to 36,500 days, but is " + afterAcknowledgement);
        }
        inboxRetention = afterAcknowledgement;
        return this;
    }

    /** How long a record is tried again while the database is away or busy. Default 10 s. */
    public JournalBuilder patience(Duration bound) {
        patience = bounded("patience", bound);
        return this;
    }

    /** How long one statement may take before it is given up and sent again. Default 2 s. */
    public JournalBuilder statementTimeout(Duration bound) {
        statementTimeout = bounded("statementTimeout", bound);
        return this;
    }

    private static Duration bounded(String name, Duration bound) {
        if (bound.toMillis() < 100 || bound.toMinutes() > 60) {
            throw new IllegalArgumentException("%s must be 100 ms to an hour, but is %s".formatted(name, bound));
        }
        return bound;
    }

    /**
     * Journal that are ready.
     *
     * @throws dev.semel.jdbc.SchemaException if a table is missing; the message holds the statements
     */
    public Journal build() {
        return new Journal(this);
    }
}
