// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.ClaimListener;
import dev.semel.journal.ledger.OnMismatch;
import dev.semel.key.Secrets;
import dev.semel.replay.ReplayCache;
import dev.semel.spi.CacheEpoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link Journal}. */
public final class JournalBuilder {
    final DataSource dataSource;
    int threads = 4;
    OnMismatch onMismatch = OnMismatch.REPORT;
    boolean writeSignatureHash = true;
    Duration maxWait = Duration.ofSeconds(10);
    Duration statementTimeout = Duration.ofSeconds(2);

    Duration inboxRetention = Duration.ofDays(30);
    boolean purges = true;
    final List<ClaimListener> claimListeners = new ArrayList<>();
    final List<JournalListener> listeners = new ArrayList<>();

    @Nullable
    Secrets inboxSecrets;

    @Nullable
    ReplayCache cache;

    @Nullable
    CacheEpoch epochs;

    JournalBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    }

    /** The number of threads that write; half as many read. Default 4. Each needs a connection while it works. */
    public JournalBuilder threads(int number) {
        if (number < 1 || number > 256) {
            throw new IllegalArgumentException("threads must be 1 to 256, but is " + number);
        }
        threads = number;
        return this;
    }

    /** The answer to a ledger key that was used before with a different event. Default {@link OnMismatch#REPORT}. */
    public JournalBuilder onMismatch(OnMismatch answer) {
        onMismatch = Objects.requireNonNull(answer, "onMismatch must not be null");
        return this;
    }

    /**
     * Whether calls are stored with the hash of their signature, which makes duplicates recognizable. Default true. With false,
     * neither the cache nor the index is checked and duplicates are stored: use it as the first step of a rollback.
     */
    public JournalBuilder writeSignatureHash(boolean write) {
        writeSignatureHash = write;
        return this;
    }

    /**
     * A cache that answers duplicates without the database. The database stays authoritative: results are cached after the commit
     * only, and the database is asked whenever the cache has no result or takes too long.
     *
     * @param epoch is stored in the same database as the journal; see {@code JdbcClaimStore}
     */
    public JournalBuilder replayCache(ReplayCache replayCache, CacheEpoch epoch) {
        cache = Objects.requireNonNull(replayCache, "replayCache must not be null");
        epochs = Objects.requireNonNull(epoch, "epoch must not be null");
        return this;
    }

    /**
     * Adds a webhook inbox. It needs the tables of {@code JdbcClaimStore} in the same database.
     *
     * @param secrets encrypt the events and make the digests of their claims; previous secrets decrypt older events
     */
    public JournalBuilder inbox(Secrets secrets) {
        inboxSecrets = Objects.requireNonNull(secrets, "secrets must not be null");
        return this;
    }

    /** Adds a listener that receives the events of the inbox's claims, as {@code SemelBuilder.listener} does for the engine. */
    public JournalBuilder claimListener(ClaimListener listener) {
        claimListeners.add(Objects.requireNonNull(listener, "listener must not be null"));
        return this;
    }

    /** How long events are kept after they were acknowledged. Default 30 days. Other events are kept without limit. */
    public JournalBuilder inboxRetention(Duration afterAcknowledgement) {
        if (afterAcknowledgement.isNegative() || afterAcknowledgement.toDays() > 36_500) {
            throw new IllegalArgumentException(
                    "inboxRetention must be 0 to 36,500 days, but is " + afterAcknowledgement);
        }
        inboxRetention = afterAcknowledgement;
        return this;
    }

    /** This journal deletes no inbox events by itself, because a cleanup does: see {@link Journal#retention}. */
    public JournalBuilder withoutPurge() {
        purges = false;
        return this;
    }

    /** Adds a listener that receives the outcomes of the ledger and of call events. */
    public JournalBuilder listener(JournalListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
        return this;
    }

    /** How long a write is retried, and a read waits, while the database is unavailable or busy. Default 10 s. */
    public JournalBuilder maxWait(Duration bound) {
        maxWait = bounded("maxWait", bound);
        return this;
    }

    /** How long a statement may take before it is cancelled and retried. Default 2 s. */
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
     * Builds the journal.
     *
     * @throws dev.semel.jdbc.SchemaException if a table is missing; the message holds the statements
     */
    public Journal build() {
        return new Journal(this);
    }
}
