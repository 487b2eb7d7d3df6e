// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.jdbc.sql.NamedValues;
import dev.semel.spi.Alias;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The parameters of a command, by the names in the statements. Commands become columns only here. */
final class ClaimParameters implements NamedValues {
    /** Enough for every command. */
    private static final int USUAL = 14;

    /** Names and values in turn. There are few, so a search is faster than a map. */
    private @Nullable Object[] pairs = new Object[2 * USUAL];

    private int size;

    private ClaimParameters() {}

    static ClaimParameters none() {
        return new ClaimParameters();
    }

    static ClaimParameters of(ClaimRef ref) {
        return none().put("key_hash", ref.digest().bytes()).put("tenant", ref.tenant());
    }

    static ClaimParameters of(Command command) {
        ClaimParameters parameters = of(command.ref());
        if (command instanceof Command.Insert insert) {
            return parameters
                    .put("scope", insert.scope())
                    .put("secret_id", insert.secretId())
                    .put("new_nonce", insert.token().bytes())
                    .put("record_id", insert.record().bytes())
                    .fingerprint(insert.fingerprint())
                    .terms(insert.terms());
        }
        parameters.put("nonce", ((Command.Swap) command).expected().bytes());
        if (command instanceof Command.TakeOver takeOver) {
            RecordId record = takeOver.record();
            return parameters
                    .put("new_nonce", takeOver.token().bytes())
                    .put("record_id", record == null ? null : record.bytes())
                    .fingerprint(takeOver.fingerprint())
                    .terms(takeOver.terms());
        }
        if (command instanceof Command.Renew renew) {
            return parameters.put("lease", micros(renew.lease()));
        }
        if (command instanceof Command.GiveBack giveBack) {
            StalePolicy lapsedUnder = giveBack.onStale();
            return parameters
                    .put("new_nonce", giveBack.token().bytes())
                    .put("status", giveBack.status().name())
                    .put("on_stale", lapsedUnder == null ? null : lapsedUnder.name())
                    .put("reason", lapsedUnder == null ? Command.GiveBack.REASON : null);
        }
        Command.Settle settle = (Command.Settle) command;
        StoredResult result = settle.result();
        return parameters
                .put("status", settle.status().name())
                .put("result_type", result == null ? null : result.type())
                .put("result", result == null ? null : result.bytes())
                .put("reason", settle.reason());
    }

    /** Parameters of a pointer row. {@code existing} is the reclaimable row that becomes the pointer, or null. */
    static ClaimParameters of(Alias alias, Command.Insert insert, ClaimRef record, @Nullable Snapshot existing) {
        return of(alias.ref())
                .put("scope", insert.scope())
                .put("secret_id", alias.secretId())
                .put("new_nonce", alias.token().bytes())
                .put("nonce", existing == null ? null : existing.token().bytes())
                .put("record_id", insert.record().bytes())
                .put("fingerprint", Fingerprint.NONE.bytes())
                .put("reason", Alias.REASON)
                .put("alias_of", record.digest().bytes());
    }

    /** An absent sketch is null, because SQLite also returns null for an empty blob. */
    private ClaimParameters fingerprint(Fingerprint fingerprint) {
        byte[] sketch = fingerprint.sketch();
        return put("fingerprint", fingerprint.bytes()).put("sketch", sketch.length == 0 ? null : sketch);
    }

    private ClaimParameters terms(Terms terms) {
        return put("on_stale", terms.onStale().name())
                .put("ttl", terms.ttl().map(ClaimParameters::micros).orElse(null))
                .put("lease", micros(terms.lease()))
                .put("max_run", micros(terms.maxRun()));
    }

    ClaimParameters put(String name, @Nullable Object value) {
        int at = indexOf(name);
        if (at < 0) {
            at = size;
            size += 2;
            if (size > pairs.length) {
                pairs = Arrays.copyOf(pairs, 2 * pairs.length);
            }
            pairs[at] = name;
        }
        pairs[at + 1] = value;
        return this;
    }

    @Override
    public @Nullable Object get(String name) {
        int at = indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException("No parameter has the name " + name);
        }
        return pairs[at + 1];
    }

    private int indexOf(String name) {
        for (int i = 0; i < size; i += 2) {
            if (name.equals(pairs[i])) {
                return i;
            }
        }
        return -1;
    }

    static long micros(Duration duration) {
        return TimeUnit.SECONDS.toMicros(duration.getSeconds()) + duration.getNano() / 1_000;
    }
}
