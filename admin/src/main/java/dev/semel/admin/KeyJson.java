// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.Status;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.HistoryEntry;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Claims and their history as JSON. */
final class KeyJson {
    private KeyJson() {}

    static Json entries(List<ClaimEntry> entries) {
        return new JsonArray(entries.stream().map(KeyJson::of).toList());
    }

    static Json of(ClaimEntry claim) {
        return members(claim).build();
    }

    static Json of(KeyDetails details, List<RecordFinder.Match> records) {
        return members(details.claim())
                .put("replays", JsonNumber.of(details.replays()))
                .put("result", details.result().map(KeyJson::of).orElse(JsonNull.NULL))
                .put(
                        "history",
                        new JsonArray(
                                details.history().stream().map(KeyJson::of).toList()))
                .put("records", records(records))
                .build();
    }

    static Json records(List<RecordFinder.Match> records) {
        return new JsonArray(records.stream().map(KeyJson::of).toList());
    }

    private static Json of(RecordFinder.Match record) {
        return new JsonObject.Builder()
                .put("kind", new JsonString(record.kind()))
                .put("id", new JsonString(record.id()))
                .put("path", new JsonString(record.path()))
                .put("created_at", moment(record.createdAt()))
                .build();
    }

    private static JsonObject.Builder members(ClaimEntry claim) {
        return new JsonObject.Builder()
                .put("id", new JsonString(claim.ref().digest().hex()))
                .put("scope", new JsonString(claim.scope()))
                .put("status", new JsonString(word(claim.status())))
                .put("lapsed", new JsonBoolean(claim.lapsed()))
                .put("attempt", JsonNumber.of(claim.attempt()))
                .put("fence", JsonNumber.of(claim.fence()))
                .put("on_stale", new JsonString(claim.onStale().name().toLowerCase(Locale.ROOT)))
                .put("created_at", moment(claim.createdAt()))
                .put("updated_at", moment(claim.updatedAt()))
                .put("started_at", moment(claim.startedAt()))
                .put("lease_until", moment(claim.leaseUntil()))
                .put("completed_at", moment(claim.completedAt()))
                .put("expires_at", moment(claim.expiresAt()))
                .put("result_type", text(claim.resultType()))
                .put("result_size", JsonNumber.of(claim.resultSize()))
                .put("reason", text(claim.reason()))
                .put(
                        "conflicts_with",
                        claim.conflictsWith() == null
                                ? JsonNull.NULL
                                : new JsonString(claim.conflictsWith().digest().hex()));
    }

    static Json of(HistoryEntry entry) {
        return new JsonObject.Builder()
                .put("id", JsonNumber.of(entry.id()))
                .put("key_id", new JsonString(entry.ref().digest().hex()))
                .put("scope", new JsonString(entry.scope()))
                .put("kind", new JsonString(entry.kind().name().toLowerCase(Locale.ROOT)))
                .put("fence", JsonNumber.of(entry.fence()))
                .put("attempt", JsonNumber.of(entry.attempt()))
                .put("actor", text(entry.actor()))
                .put("reason", text(entry.reason()))
                .put("details", text(entry.details()))
                .put("at", moment(entry.at()))
                .build();
    }

    private static Json of(ShownResult result) {
        return new JsonObject.Builder()
                .put("type", new JsonString(result.type()))
                .put("size", JsonNumber.of(result.size()))
                .put("content", result.content().orElse(JsonNull.NULL))
                .put("note", new JsonString(result.note()))
                .build();
    }

    static String word(Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    private static Json moment(@Nullable Instant moment) {
        return moment == null ? JsonNull.NULL : new JsonString(moment.toString());
    }

    private static Json text(@Nullable String text) {
        return text == null ? JsonNull.NULL : new JsonString(text);
    }
}
