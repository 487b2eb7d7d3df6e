// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.server.http.Identity;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import java.util.Locale;

/** Parses ledger entries from JSON and rejects entries for another organization. */
final class LedgerEntries {
    private final boolean production;

    LedgerEntries(boolean production) {
        this.production = production;
    }

    LedgerEntry read(Identity identity, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        String key = fields.requiredText("idempotency_key", LedgerEntry.MAX_KEY);
        Json event = fields.any("event").orElseThrow(() -> fields.missing("event"));
        fields.done();
        if (!(event instanceof JsonObject object)) {
            throw fields.wrong("event", "must be a JSON object");
        }
        LedgerEntry entry = entry(key, object);
        if (production && !entry.orgId().equals(identity.tenant())) {
            throw ProblemDetail.of(
                            ProblemType.FORBIDDEN, "The token belongs to an organization other than event.org_id")
                    .asException();
        }
        return entry;
    }

    /**
     * Translates validation errors of the ledger. Their messages begin with the invalid member, such as {@code
     * event.org_id}.
     */
    private static LedgerEntry entry(String key, JsonObject event) {
        try {
            return LedgerEntry.of(key, event);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String member = message.split("[ :]", 2)[0];
            String pointer =
                    member.toLowerCase(Locale.ROOT).matches("[a-z_.]+") ? "/" + member.replace('.', '/') : "/event";
            throw ProblemDetail.field(pointer, message).asException();
        }
    }
}
