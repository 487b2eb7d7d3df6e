// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.ClaimRequest;
import dev.semel.FailureClass;
import dev.semel.Ownership;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.messaging.Disposition.Acknowledge;
import dev.semel.messaging.Disposition.Redeliver;
import dev.semel.messaging.Disposition.Why;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way through the gate. It is divided into groups: as many messages in a row as are new or done. A message
 * that is neither (it failed before, is running elsewhere, has no key) is received alone, between two groups.
 */
final class BatchReception<M> {
    /** How many claims one call to the store makes, and how many messages the handler receives at once. */
    private static final int MAX_GROUP = 500;

    private final Semel semel;
    private final ConsumerGate<M> gate;
    private final Terms terms;
    private final MessageIdentity<M> identity;
    private final GatePolicy policy;
    private final DeadLetters<M> letters;
    private final BatchMessageHandler<M> handler;

    BatchReception(
            Semel semel,
            ConsumerGate<M> gate,
            Terms terms,
            MessageIdentity<M> identity,
            GatePolicy policy,
            DeadLetters<M> letters,
            BatchMessageHandler<M> handler) {
        this.semel = semel;
        this.gate = gate;
        this.terms = terms;
        this.identity = identity;
        this.policy = policy;
        this.letters = letters;
        this.handler = handler;
    }

    List<Disposition> receive(List<M> messages) {
        List<Disposition> all = new ArrayList<>(messages.size());
        int limit = MAX_GROUP;
        while (all.size() < messages.size() && all.stream().allMatch(Disposition::acknowledged)) {
            List<Entry<M>> group = group(messages, all.size(), limit);
            List<Disposition> done = group.isEmpty() ? List.of() : process(group);
            all.addAll(done);
            if (done.size() == group.size() && !group.isEmpty()) {
                limit = Math.min(MAX_GROUP, 2 * limit);
            } else if (done.stream().allMatch(Disposition::acknowledged)) {
                M next = messages.get(all.size());
                all.add(gate.receive(next, (message, run) -> alone(ClaimedMessage.of(message, run))));
                limit = 1;
            }
        }
        while (all.size() < messages.size()) {
            all.add(new Redeliver(policy.firstPause(), Why.NOT_REACHED, null));
        }
        return all;
    }

    private void alone(ClaimedMessage<M> message) throws Exception {
        try {
            handler.handle(List.of(message));
        } catch (BatchFailedAtException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private record Entry<M>(int index, M message, MessageIdentity.Id id) {}

    /** The messages from an index on, up to one without a key or with the key but not the content of another in the group. */
    private List<Entry<M>> group(List<M> messages, int from, int limit) {
        List<Entry<M>> group = new ArrayList<>();
        Map<ClaimKey, MessageIdentity.Id> known = new HashMap<>();
        for (M message : messages.subList(from, (int) Math.min(messages.size(), (long) from + limit))) {
            MessageIdentity.Id id;
            try {
                id = identity.of(message);
            } catch (Exception e) {
                return group;
            }
            MessageIdentity.Id same = known.putIfAbsent(id.key(), id);
            if (same != null && !same.fingerprint().matches(id.fingerprint())) {
                return group;
            }
            group.add(new Entry<>(group.size(), message, id));
        }
        return group;
    }

    /** Processes the first messages of a group, up to one that has to be received alone. Returns their dispositions. */
    private List<Disposition> process(List<Entry<M>> group) {
        Map<ClaimKey, ClaimOutcome> claimed = claim(group);
        Map<ClaimKey, Granted<M>> granted = new LinkedHashMap<>();
        int end = 0;
        while (end < group.size()) {
            Entry<M> entry = group.get(end);
            ClaimOutcome outcome = claimed.get(entry.id().key());
            if (outcome instanceof ClaimOutcome.Granted fresh && fresh.claim().attempt() == 1) {
                granted.putIfAbsent(entry.id().key(), new Granted<>(entry, fresh.claim()));
            } else if (!(outcome instanceof ClaimOutcome.Succeeded)) {
                break;
            }
            end++;
        }
        // The handler does not wait for this, because its leases would become shorter.
        List<CompletionStage<Ownership>> given = giveBackOthers(claimed, granted);
        Map<ClaimKey, Disposition> done = run(List.copyOf(granted.values()));
        given.forEach(one -> one.toCompletableFuture().join());
        List<Disposition> dispositions = new ArrayList<>();
        for (Entry<M> entry : group.subList(0, end)) {
            Granted<M> first = granted.get(entry.id().key());
            boolean duplicate = first == null || first.entry().index() != entry.index();
            Disposition its = done.getOrDefault(entry.id().key(), new Acknowledge(true));
            dispositions.add(duplicate && its.acknowledged() ? new Acknowledge(true) : its);
        }
        return dispositions;
    }

    private record Granted<M>(Entry<M> entry, Claim claim) {}

    private Map<ClaimKey, ClaimOutcome> claim(List<Entry<M>> group) {
        Map<ClaimKey, ClaimRequest> requests = new LinkedHashMap<>();
        for (Entry<M> entry : group) {
            MessageIdentity.Id id = entry.id();
            requests.putIfAbsent(id.key(), ClaimRequest.of(id.key(), id.fingerprint(), terms));
        }
        List<ClaimOutcome> outcomes = semel.claimAll(List.copyOf(requests.values()))
                .toCompletableFuture()
                .join();
        Map<ClaimKey, ClaimOutcome> claimed = new LinkedHashMap<>();
        int i = 0;
        for (ClaimKey key : requests.keySet()) {
            claimed.put(key, outcomes.get(i++));
        }
        return claimed;
    }

    private List<CompletionStage<Ownership>> giveBackOthers(
            Map<ClaimKey, ClaimOutcome> claimed, Map<ClaimKey, Granted<M>> granted) {
        List<CompletionStage<Ownership>> given = new ArrayList<>();
        claimed.forEach((key, outcome) -> {
            if (outcome instanceof ClaimOutcome.Granted other && !granted.containsKey(key)) {
                given.add(semel.giveBack(other.claim()));
            }
        });
        return given;
    }

    /** Calls the handler and settles the claims. */
    private Map<ClaimKey, Disposition> run(List<Granted<M>> granted) {
        if (granted.isEmpty()) {
            return Map.of();
        }
        List<ClaimedMessage<M>> messages = granted.stream()
                .map(one -> ClaimedMessage.of(one.entry().message(), one.claim()))
                .toList();
        int failedAt = granted.size();
        Throwable failure = null;
        try (RenewedClaims renewed =
                RenewedClaims.of(semel, granted.stream().map(Granted::claim).toList(), terms)) {
            handler.handle(messages);
        } catch (BatchFailedAtException e) {
            failure = e.getCause() == null ? e : e.getCause();
            failedAt = e.index() < granted.size() ? e.index() : -1;
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            failure = e;
            failedAt = -1;
        }
        Map<ClaimKey, Disposition> done = settle(granted, failedAt, failure);
        if (failure instanceof Error error) {
            throw error;
        }
        return done;
    }

    /** @param failedAt the index of the failed message; -1 if it is unknown which one failed */
    private Map<ClaimKey, Disposition> settle(List<Granted<M>> granted, int failedAt, @Nullable Throwable failure) {
        List<CompletionStage<Ownership>> answers = new ArrayList<>();
        List<Settled> settled = new ArrayList<>();
        for (int i = 0; i < granted.size(); i++) {
            Settled one = failure == null || i < failedAt
                    ? Settled.succeeded()
                    : failedAt < 0 ? failedTogether(failure) : i == failedAt ? failed(failure) : Settled.notReached();
            Claim claim = granted.get(i).claim();
            settled.add(one);
            answers.add(
                    one.status() == null
                            ? semel.giveBack(claim)
                            : semel.settle(claim, one.status(), one.stored(), one.reason()));
        }
        Map<ClaimKey, Disposition> done = new HashMap<>();
        for (int i = 0; i < granted.size(); i++) {
            Ownership answer = answers.get(i).toCompletableFuture().join();
            done.put(granted.get(i).entry().id().key(), disposition(granted.get(i), settled.get(i), answer));
        }
        return done;
    }

    /** How a claim of the batch is settled; without a status it is given back. */
    private record Settled(
            @Nullable Status status,
            @Nullable StoredResult stored,
            @Nullable Throwable failure) {
        static Settled succeeded() {
            return new Settled(Status.SUCCEEDED, StoredResult.ofNull(), null);
        }

        static Settled retryable(Throwable failure) {
            return new Settled(Status.RETRYABLE, null, failure);
        }

        static Settled unknown(Throwable failure) {
            return new Settled(Status.UNKNOWN, null, failure);
        }

        static Settled notReached() {
            return new Settled(null, null, null);
        }

        @Nullable
        String reason() {
            return failure == null ? null : "threw " + failure.getClass().getName();
        }
    }

    /** One of several messages failed. Each is tried again alone, unless its effect may have happened. */
    private Settled failedTogether(Throwable failure) {
        return policy.given(failure) == FailureClass.UNKNOWN ? Settled.unknown(failure) : Settled.retryable(failure);
    }

    private Settled failed(Throwable failure) {
        GateAttempt first = new GateAttempt(policy);
        first.beginFirst();
        FailureClass failureClass = first.classOf(failure);
        return switch (failureClass) {
            case RETRYABLE -> Settled.retryable(failure);
            case UNKNOWN -> Settled.unknown(failure);
            case FINAL -> new Settled(Status.FAILED, first.stored(failure), failure);
        };
    }

    private Disposition disposition(Granted<M> granted, Settled settled, Ownership answer) {
        Status status = settled.status();
        if (status == null) {
            return new Redeliver(policy.firstPause(), Why.NOT_REACHED, null);
        }
        if (!(answer instanceof Ownership.Confirmed)) {
            return new Redeliver(policy.firstPause(), Why.UNSETTLED, settled.failure());
        }
        Throwable failure = settled.failure();
        if (failure == null) {
            return new Acknowledge(false);
        }
        M message = granted.entry().message();
        ClaimKey key = granted.entry().id().key();
        return switch (status) {
            case FAILED -> letters.failed(message, key, settled.stored(), failure);
            case UNKNOWN ->
                letters.unknown(message, key, "threw " + failure.getClass().getName(), failure);
            default -> gate.failed(1, failure);
        };
    }
}
