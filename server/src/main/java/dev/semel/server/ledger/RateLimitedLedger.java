// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.ProblemDetail;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes entries within the limit of new keys. Known keys are not new, so they are answered even beyond the limit. The
 * limit is that of {@code org_id}. In production this is the token's tenant. In development there is no other tenant.
 */
final class RateLimitedLedger {
    private final Ledger ledger;
    private final NewKeyRate rate;

    RateLimitedLedger(Ledger ledger, NewKeyRate rate) {
        this.ledger = ledger;
        this.rate = rate;
    }

    /** The outcome of an entry. */
    sealed interface EntryOutcome {
        /** The ledger's response. */
        record Decided(Ingestion ingestion) implements EntryOutcome {}

        /** The entry exceeded the limit of new keys and was not written. */
        record TooMany(ProblemDetail problem) implements EntryOutcome {}
    }

    CompletionStage<EntryOutcome> ingest(LedgerEntry entry) {
        String tenant = entry.orgId();
        Optional<ProblemDetail> tooMany = rate.tryTake(tenant, 1, entry.size());
        if (tooMany.isEmpty()) {
            return ledger.ingest(entry).thenApply(ingestion -> {
                boolean fresh = isNew(ingestion);
                rate.giveBack(tenant, 1, fresh ? 1 : 0, entry.size(), fresh ? entry.size() : 0);
                return new EntryOutcome.Decided(ingestion);
            });
        }
        return known(Set.of(entry.keyHash()))
                .thenCompose(known -> known.isEmpty()
                        ? CompletableFuture.completedStage(new EntryOutcome.TooMany(tooMany.get()))
                        : ledger.ingest(entry).thenApply(EntryOutcome.Decided::new));
    }

    /** Like {@link #ingest}, for several entries. The outcomes are in the order of the entries. */
    CompletionStage<List<EntryOutcome>> ingestAll(List<LedgerEntry> entries) {
        Map<String, Map<Fingerprint, Long>> names = new LinkedHashMap<>();
        for (LedgerEntry entry : entries) {
            names.computeIfAbsent(entry.orgId(), tenant -> new LinkedHashMap<>())
                    .merge(entry.keyHash(), entry.size(), Math::max);
        }
        BatchAdmission admission = new BatchAdmission();
        CompletableFuture<?>[] admitted = names.entrySet().stream()
                .map(tenant ->
                        admit(admission, tenant.getKey(), tenant.getValue()).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(admitted).thenCompose(all -> write(admission, entries));
    }

    /** Takes room for all entries or, if the limit is reached, for the new ones only. */
    private CompletionStage<Void> admit(BatchAdmission admission, String tenant, Map<Fingerprint, Long> names) {
        if (rate.tryTake(tenant, names.size(), sum(names)).isEmpty()) {
            admission.took(tenant, names.size(), sum(names));
            return CompletableFuture.completedStage(null);
        }
        return known(names.keySet()).thenAccept(known -> {
            Map<Fingerprint, Long> fresh = new LinkedHashMap<>(names);
            fresh.keySet().removeAll(known);
            Optional<ProblemDetail> tooMany = rate.tryTake(tenant, fresh.size(), sum(fresh));
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

    /** Returns the known keys; none if the database is unavailable. */
    private CompletionStage<Set<Fingerprint>> known(Set<Fingerprint> names) {
        return ledger.known(names).exceptionally(unavailable -> Set.of());
    }

    private CompletionStage<List<EntryOutcome>> write(BatchAdmission admission, List<LedgerEntry> entries) {
        List<LedgerEntry> good = entries.stream()
                .filter(entry -> admission.refusal(entry).isEmpty())
                .toList();
        return ledger.ingestAll(good).thenApply(ingestions -> {
            admission.giveBack(good, ingestions, rate);
            List<EntryOutcome> outcomes = new ArrayList<>(entries.size());
            int next = 0;
            for (LedgerEntry entry : entries) {
                Optional<ProblemDetail> refusal = admission.refusal(entry);
                outcomes.add(
                        refusal.isPresent()
                                ? new EntryOutcome.TooMany(refusal.get())
                                : new EntryOutcome.Decided(ingestions.get(next++)));
            }
            return outcomes;
        });
    }

    private static boolean isNew(Ingestion ingestion) {
        return ingestion instanceof Ingestion.Written;
    }

    /** The room that was taken and the entries that were refused. Several reads update it concurrently. */
    private static final class BatchAdmission {
        /** Room for a number of new keys and bytes. */
        private record KeyRoom(int keys, long bytes) {
            static final KeyRoom NONE = new KeyRoom(0, 0);

            KeyRoom plus(KeyRoom more) {
                return new KeyRoom(keys + more.keys, bytes + more.bytes);
            }
        }

        private final Map<String, KeyRoom> taken = new LinkedHashMap<>();
        private final Map<Fingerprint, ProblemDetail> refused = new LinkedHashMap<>();

        synchronized void took(String tenant, int keys, long bytes) {
            taken.put(tenant, new KeyRoom(keys, bytes));
        }

        synchronized void refuse(Fingerprint name, ProblemDetail problem) {
            refused.put(name, problem);
        }

        synchronized Optional<ProblemDetail> refusal(LedgerEntry entry) {
            return refused.isEmpty() ? Optional.empty() : Optional.ofNullable(refused.get(entry.keyHash()));
        }

        synchronized void giveBack(List<LedgerEntry> written, List<Ingestion> ingestions, NewKeyRate rate) {
            Map<String, KeyRoom> used = new LinkedHashMap<>();
            for (int i = 0; i < written.size(); i++) {
                if (isNew(ingestions.get(i))) {
                    used.merge(
                            written.get(i).orgId(),
                            new KeyRoom(1, written.get(i).size()),
                            KeyRoom::plus);
                }
            }
            taken.forEach((tenant, room) -> {
                KeyRoom stored = used.getOrDefault(tenant, KeyRoom.NONE);
                rate.giveBack(tenant, room.keys(), stored.keys(), room.bytes(), stored.bytes());
            });
        }
    }
}
