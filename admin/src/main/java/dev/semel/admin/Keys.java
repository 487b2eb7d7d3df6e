// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.KeyedRef;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims as an operator sees them: lists, look-ups and decisions about parked claims. All methods call the store and block.
 *
 * <p>Nothing here runs work. A decision is a settlement with the token of the claim as it was seen, so it is refused if the
 * claim has moved on.
 */
public final class Keys {
    /** The maximum number of scopes that a look-up without a scope tries. */
    public static final int MAX_SCOPES = 1_000;

    private static final int MAX_READ = 200;
    private static final int MAX_HISTORY = 100;
    private static final String NO_RESULT = "an operator decided that the work was done; its result is not known";

    private final ClaimStore store;
    private final ClaimBrowser browser;
    private final HistoryStore history;
    private final KeyDigests digests;
    private final StoredResultView results;

    private Keys(ClaimStore store, ClaimBrowser browser, HistoryStore history, Secrets secrets) {
        this.store = store;
        this.browser = browser;
        this.history = history;
        this.digests = new KeyDigests(secrets);
        this.results = new StoredResultView(secrets);
    }

    /**
     * The keys of a store.
     *
     * @param secrets the secrets of the engine on this store
     * @throws IllegalArgumentException if the store has no browser or no history
     */
    public static Keys on(ClaimStore store, Secrets secrets) {
        if (store instanceof ClaimBrowser browser && store instanceof HistoryStore history) {
            return new Keys(store, browser, history, secrets);
        }
        throw new IllegalArgumentException(
                "The store %s does not implement ClaimBrowser and HistoryStore, so its claims cannot be shown"
                        .formatted(store.getClass().getName()));
    }

    /** A page of claims, newest first. */
    public ClaimPage list(ClaimBrowser.Query query) {
        return browser.page(query);
    }

    /** Claims whose digest starts with these digits, as logs print them. */
    public List<ClaimEntry> withPrefix(String tenant, String prefix, int limit) {
        return browser.withPrefix(tenant, prefix, limit);
    }

    /** A claim with its history and its redacted result. */
    public Optional<KeyDetails> find(ClaimRef ref) {
        return browser.find(ref).map(this::details);
    }

    /** The reference of the claim's record, which differs from that of an alias. */
    Optional<ClaimRef> record(ClaimRef ref) {
        return browser.find(ref).map(ClaimEntry::ref);
    }

    private KeyDetails details(ClaimEntry claim) {
        Snapshot snapshot = store.read(List.of(claim.ref())).get(claim.ref());
        StoredResult result = snapshot == null ? null : snapshot.result();
        return new KeyDetails(
                claim,
                history.history(claim.ref(), MAX_HISTORY),
                history.replays(claim.ref()),
                result == null ? Optional.empty() : Optional.of(results.of(claim.ref(), result)));
    }

    /**
     * Finds the claims on a key, in both modes and by every active secret.
     *
     * @param scope null to try the scopes of the tenant's newest claims, up to {@value #MAX_SCOPES}
     */
    public KeyLookup lookup(String tenant, @Nullable String scope, String key) {
        ClaimBrowser.Scopes scopes =
                scope == null ? browser.scopes(tenant, MAX_SCOPES) : new ClaimBrowser.Scopes(Set.of(scope), true);
        List<ClaimRef> refs = new ArrayList<>();
        for (String name : scopes.names()) {
            for (ClaimMode mode : ClaimMode.values()) {
                digests.allOf(mode, new ClaimKey(tenant, name, key)).stream()
                        .map(KeyedRef::ref)
                        .forEach(refs::add);
            }
        }
        Set<ClaimRef> records = new LinkedHashSet<>();
        for (int from = 0; from < refs.size(); from += MAX_READ) {
            List<ClaimRef> some = refs.subList(from, Math.min(refs.size(), from + MAX_READ));
            store.read(some).values().forEach(claim -> records.add(claim.ref()));
        }
        List<ClaimEntry> found =
                records.stream().flatMap(ref -> browser.find(ref).stream()).toList();
        return new KeyLookup(found, scopes.names().size(), scopes.complete());
    }

    /** Decides a claim on which nobody works: one that is UNKNOWN, or whose lease has ended. */
    public DecisionOutcome decide(ClaimRef ref, OperatorDecision decision) {
        Optional<ClaimEntry> found = browser.find(ref);
        if (found.isEmpty()) {
            return new DecisionOutcome.Absent();
        }
        ClaimEntry claim = found.get();
        Snapshot snapshot = store.read(List.of(claim.ref())).get(claim.ref());
        if (snapshot == null) {
            return new DecisionOutcome.Absent();
        }
        if (snapshot.fence() != decision.fence()) {
            return new DecisionOutcome.MovedOn(claim);
        }
        if (snapshot.status() == Status.IN_PROGRESS && !snapshot.lapsed()) {
            return new DecisionOutcome.InProgress(claim);
        }
        Verdict verdict = history.decide(settlement(snapshot, decision), entry(claim, decision));
        if (verdict instanceof Verdict.Errored errored) {
            throw errored.cause();
        }
        ClaimEntry after = browser.find(claim.ref()).orElse(claim);
        return verdict instanceof Verdict.Applied
                ? new DecisionOutcome.Decided(after)
                : new DecisionOutcome.MovedOn(after);
    }

    private static Command.Settle settlement(Snapshot claim, OperatorDecision decision) {
        StoredResult result = decision.result();
        if (result == null && decision.status() == Status.SUCCEEDED) {
            result = StoredResult.tombstone(NO_RESULT);
        }
        return new Command.Settle(claim.ref(), claim.token(), decision.status(), result, decision.reason());
    }

    private static HistoryEntry entry(ClaimEntry claim, OperatorDecision decision) {
        return HistoryEntry.decision(decision.kind(), claim, decision.actor(), decision.reason());
    }

    /**
     * The decisions about a tenant's claims, newest first.
     *
     * @param before only decisions with a smaller id; null for the newest
     */
    public List<HistoryEntry> decisions(String tenant, @Nullable Long before, int limit) {
        return history.decisions(Objects.requireNonNull(tenant, "A tenant must not be null"), before, limit);
    }
}
