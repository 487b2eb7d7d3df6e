// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.simulation.history.HistoryEvent.GivenBack;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Renewed;
import dev.semel.simulation.history.HistoryEvent.Settled;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tells from the changes of items what happened to claims. The times in the items are not believed, only the lengths. */
final class DynamoEvents {
    private static final long MICRO = 1_000;

    private final History history;

    DynamoEvents(History history) {
        this.history = history;
    }

    /**
     * A request has changed an item.
     *
     * @param made when the request was made
     */
    void changed(
            String process,
            long made,
            @Nullable Map<String, AttributeValue> before,
            @Nullable Map<String, AttributeValue> after) {
        if (after == null || !after.containsKey("claim_nonce") || after.containsKey("alias_of")) {
            return;
        }
        Claim now = new Claim(after);
        Claim then = before == null ? null : new Claim(before);
        if (then == null || (!then.token().equals(now.token()) && then.fence() != now.fence())) {
            granted(process, made, now);
        } else if (!then.token().equals(now.token())) {
            history.add(new GivenBack(history.now(), history.now(), process, then.token()));
        } else if (then.status() != now.status() || !then.is("completed_at", now)) {
            settled(process, made, now);
        } else if (!then.is("lease_until", now)) {
            history.add(new Renewed(made, history.now(), process, now.token(), now.lease()));
        }
    }

    private void granted(String process, long made, Claim claim) {
        history.add(new Granted(
                made,
                history.now(),
                process,
                claim.token(),
                HexFormat.of().formatHex(claim.bytes("key_hash")).substring(0, 12),
                new RecordId(claim.bytes("record_id")).childKey("history"),
                claim.fence(),
                Math.toIntExact(claim.number("attempt_count")),
                claim.lease(),
                claim.lease() + (claim.number("run_until") - claim.number("lease_until")) * MICRO,
                claim.text("on_stale").equals(StalePolicy.PARK.name()),
                claim.text("on_stale").equals(StalePolicy.RECONCILE.name()),
                SimulatedStore.nameOf(new Fingerprint(claim.bytes("fingerprint")))));
    }

    /** The sweep leaves no answer. */
    private void settled(String process, long made, Claim claim) {
        if (claim.has("reason") && claim.text("reason").equals(SweepReport.ABANDONED)) {
            return;
        }
        // The answer is kept from when the request was made.
        long kept = claim.has("ttl_micros")
                ? claim.number("ttl_micros") * MICRO - (history.now() - made)
                : SimulatedStore.NEVER;
        history.add(new Settled(
                history.now(),
                history.now(),
                process,
                claim.token(),
                SimulatedStore.ending(claim.status()),
                kept,
                true));
    }

    /** An item that is a claim. */
    private record Claim(Map<String, AttributeValue> item) {
        boolean has(String name) {
            return item.containsKey(name);
        }

        boolean is(String name, Claim other) {
            return Objects.equals(item.get(name), other.item.get(name));
        }

        private AttributeValue value(String name) {
            return Objects.requireNonNull(item.get(name), name);
        }

        byte[] bytes(String name) {
            return value(name).b().asByteArray();
        }

        long number(String name) {
            return Long.parseLong(value(name).n());
        }

        String text(String name) {
            return value(name).s();
        }

        String token() {
            return HexFormat.of().formatHex(bytes("claim_nonce"));
        }

        Status status() {
            return Status.valueOf(text("status"));
        }

        long fence() {
            return number("fence");
        }

        /** In nanoseconds. */
        long lease() {
            return number("lease_micros") * MICRO;
        }
    }
}
