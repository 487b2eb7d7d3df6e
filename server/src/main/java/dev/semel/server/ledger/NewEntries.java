// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.records.Ingestion;
import dev.semel.records.Ledger;
import dev.semel.records.LedgerEntry;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes entries within the bound of new keys. A key that is known is not a new one, and its answer is owed beyond it.
 * Whose bound it is says {@code org_id}: in production that is the token's tenant, in development nothing else is.
 */
final class NewEntries {
    private final Ledger ledger;
    private final NewKeyRate rate;

    NewEntries(Ledger ledger, NewKeyRate rate) {
        this.ledger = ledger;
        this.rate = rate;
    }

    /** What came of an entry that was sent. */
    sealed interface Outcome {
        /** The ledger has decided. */
        record Told(Ingestion ingestion) implements Outcome {}

        /** It would be one new key too many; nothing was written. */
        record TooMany(Problem problem) implements Outcome {}
    }

    CompletionStage<Outcome> ingest(LedgerEntry entry) {
        String tenant = entry.orgId();
        Optional<Problem> tooMany = rate.tryTake(tenant, 1);
        if (tooMany.isEmpty()) {
            return ledger.ingest(entry).thenApply(ingestion -> {
                rate.giveBack(tenant, 1, isNew(ingestion) ? 1 : 0);
                return new Outcome.Told(ingestion);
            });
        }
        return known(Set.of(entry.name()))
                .thenCompose(known -> known.isEmpty()
                        ? CompletableFuture.completedStage(new Outcome.TooMany(tooMany.get()))
                        : ledger.ingest(entry).thenApply(Outcome.Told::new));
    }

    /** As {@link #ingest}, for many; the answers stand in the order of the entries. */
    CompletionStage<List<Outcome>> ingestAll(List<LedgerEntry> entries) {
        Map<String, Set<Fingerprint>> names = new LinkedHashMap<>();
        for (LedgerEntry entry : entries) {
            names.computeIfAbsent(entry.orgId(), tenant -> new LinkedHashSet<>())
                    .add(entry.name());
        }
        Admission admission = new Admission();
        CompletableFuture<?>[] admitted = names.entrySet().stream()
                .map(tenant ->
                        admit(admission, tenant.getKey(), tenant.getValue()).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(admitted).thenCompose(all -> write(admission, entries));
    }

    /** Takes places for all, or, where there are not as many, for those that are new. */
    private CompletionStage<Void> admit(Admission admission, String tenant, Set<Fingerprint> names) {
        if (rate.tryTake(tenant, names.size()).isEmpty()) {
            admission.took(tenant, names.size());
            return CompletableFuture.completedStage(null);
        }
        return known(names).thenAccept(known -> {
            Set<Fingerprint> fresh = new LinkedHashSet<>(names);
            fresh.removeAll(known);
            Optional<Problem> tooMany = rate.tryTake(tenant, fresh.size());
            if (tooMany.isEmpty()) {
                admission.took(tenant, fresh.size());
            } else {
                fresh.forEach(name -> admission.refuse(name, tooMany.get()));
            }
        });
    }

    /** If the database does not say, they are taken for new ones. */
    private CompletionStage<Set<Fingerprint>> known(Set<Fingerprint> names) {
        return ledger.known(names).exceptionally(away -> Set.of());
    }

    private CompletionStage<List<Outcome>> write(Admission admission, List<LedgerEntry> entries) {
        List<LedgerEntry> good = entries.stream()
                .filter(entry -> admission.refusal(entry).isEmpty())
                .toList();
        return ledger.ingestAll(good).thenApply(ingestions -> {
            admission.giveBack(good, ingestions, rate);
            List<Outcome> outcomes = new ArrayList<>(entries.size());
            int next = 0;
            for (LedgerEntry entry : entries) {
                Optional<Problem> refusal = admission.refusal(entry);
                outcomes.add(
                        refusal.isPresent()
                                ? new Outcome.TooMany(refusal.get())
                                : new Outcome.Told(ingestions.get(next++)));
            }
            return outcomes;
        });
    }

    private static boolean isNew(Ingestion ingestion) {
        return ingestion instanceof Ingestion.Written;
    }

    /** Which places were taken, and what is refused. Answers of several reads meet here. */
    private static final class Admission {
        private final Map<String, Integer> taken = new LinkedHashMap<>();
        private final Map<Fingerprint, Problem> refused = new LinkedHashMap<>();

        synchronized void took(String tenant, int places) {
            taken.put(tenant, places);
        }

        synchronized void refuse(Fingerprint name, Problem problem) {
            refused.put(name, problem);
        }

        synchronized Optional<Problem> refusal(LedgerEntry entry) {
            return refused.isEmpty() ? Optional.empty() : Optional.ofNullable(refused.get(entry.name()));
        }

        synchronized void giveBack(List<LedgerEntry> written, List<Ingestion> ingestions, NewKeyRate rate) {
            Map<String, Integer> used = new LinkedHashMap<>();
            for (int i = 0; i < written.size(); i++) {
                if (isNew(ingestions.get(i))) {
                    used.merge(written.get(i).orgId(), 1, Integer::sum);
                }
            }
            taken.forEach((tenant, places) -> rate.giveBack(tenant, places, used.getOrDefault(tenant, 0)));
        }
    }
}
