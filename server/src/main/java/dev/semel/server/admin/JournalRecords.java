// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import dev.semel.admin.RecordFinder;
import dev.semel.claim.StoreException;
import dev.semel.journal.JournalLookup;
import dev.semel.journal.ledger.LedgerEntry;
import java.util.Locale;
import java.util.concurrent.CompletionException;

/** The inbox events, ledger events and calls that a look-up finds, and where the server shows them. */
public final class JournalRecords implements RecordFinder {
    private final JournalLookup journal;

    public JournalRecords(JournalLookup journal) {
        this.journal = journal;
    }

    @Override
    public Matches find(String tenant, String digits, int limit) {
        try {
            // The journal answers or fails in a bounded time.
            JournalLookup.Matches matches = journal.withPrefix(tenant, digits, limit)
                    .toCompletableFuture()
                    .join();
            return new Matches(
                    matches.found().stream().map(JournalRecords::match).toList(), matches.more());
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException cause ? cause : e;
        }
    }

    /** Only the ledger's keys are looked up: those of the inbox are claims, and calls have signatures. */
    @Override
    public Matches ofKey(String tenant, String key) {
        return find(tenant, LedgerEntry.keyHashOf(tenant, key).hex(), 1);
    }

    private static Match match(JournalLookup.Match row) {
        String folder = switch (row.kind()) {
            case INBOX_EVENT -> "/v1/inbox/";
            case LEDGER_EVENT -> "/api/ledger/events/";
            case CALL -> "/api/calls/";
        };
        return new Match(row.kind().name().toLowerCase(Locale.ROOT), row.id().toString(), folder + row.id(), row.at());
    }
}
