// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
        Optional<Problem> tooMany = rate.tryTake(tenant, 1, entry.size());
        if (tooMany.isEmpty()) {
            return ledger.ingest(entry).thenApply(ingestion -> {
                boolean fresh = isNew(ingestion);
                rate.giveBack(tenant, 1, fresh ? 1 : 0, entry.size(), fresh ? entry.size() : 0);
                return new Outcome.Told(ingestion);
            });
        }
        return known(Set.of(entry.keyHash()))
                .thenCompose(known -> known.isEmpty()
                        ? CompletableFuture.completedStage(new Outcome.TooMany(tooMany.get()))
                        : ledger.ingest(entry).thenApply(Outcome.Told::new));
    }

    /** As {@link #ingest}, for many; the answers stand in the order of the entries. */
    CompletionStage<List<Outcome>> ingestAll(List<LedgerEntry> entries) {
        Map<String, Map<Fingerprint, Long>> names = new LinkedHashMap<>();
        for (LedgerEntry entry : entries) {
            names.computeIfAbsent(entry.orgId(), tenant -> new LinkedHashMap<>())
                    .merge(entry.keyHash(), entry.size(), Math::max);
        }
        Admission admission = new Admission();
        CompletableFuture<?>[] admitted = names.entrySet().stream()
                .map(tenant ->
                        admit(admission, tenant.getKey(), tenant.getValue()).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(admitted).thenCompose(all -> write(admission, entries));
    }

    /** Takes places for all, or, where there are not as many, for those that are new. */
    private CompletionStage<Void> admit(Admission admission, String tenant, Map<Fingerprint, Long> names) {
        if (rate.tryTake(tenant, names.size(), sum(names)).isEmpty()) {
            admission.took(tenant, names.size(), sum(names));
            return CompletableFuture.completedStage(null);
        }
        return known(names.keySet()).thenAccept(known -> {
            Map<Fingerprint, Long> fresh = new LinkedHashMap<>(names);
            fresh.keySet().removeAll(known);
            Optional<Problem> tooMany = rate.tryTake(tenant, fresh.size(), sum(fresh));
            if (tooMany.isEmpty()) {
                admission.took(tenant, fresh.size(), sum(fresh));
            } else {
                fresh.keySet().forEach(name -> admission.refuse(name, tooMany.get()));
            }
        });
    }

    private static long sum(Map<Fingerprint, Long> sizes) {
        return sizes.values().stream().mapToLong(Long::longValue).sum();
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
        /** Room for so many new keys, and bytes under them. */
        private record Room(int keys, long bytes) {
            static final Room NONE = new Room(0, 0);

            Room plus(Room more) {
                return new Room(keys + more.keys, bytes + more.bytes);
            }
        }

        private final Map<String, Room> taken = new LinkedHashMap<>();
        private final Map<Fingerprint, Problem> refused = new LinkedHashMap<>();

        synchronized void took(String tenant, int keys, long bytes) {
            taken.put(tenant, new Room(keys, bytes));
        }

        synchronized void refuse(Fingerprint name, Problem problem) {
            refused.put(name, problem);
        }

        synchronized Optional<Problem> refusal(LedgerEntry entry) {
            return refused.isEmpty() ? Optional.empty() : Optional.ofNullable(refused.get(entry.keyHash()));
        }

        synchronized void giveBack(List<LedgerEntry> written, List<Ingestion> ingestions, NewKeyRate rate) {
            Map<String, Room> used = new LinkedHashMap<>();
            for (int i = 0; i < written.size(); i++) {
                if (isNew(ingestions.get(i))) {
                    used.merge(
                            written.get(i).orgId(), new Room(1, written.get(i).size()), Room::plus);
                }
            }
            taken.forEach((tenant, room) -> {
                Room stored = used.getOrDefault(tenant, Room.NONE);
                rate.giveBack(tenant, room.keys(), stored.keys(), room.bytes(), stored.bytes());
            });
        }
    }
}
