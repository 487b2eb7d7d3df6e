// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.server.http.Fields;
import dev.semel.server.http.Identity;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import java.util.Locale;

/** Reads entries from JSON, and sees to it that nobody writes into another organization's ledger. */
final class LedgerEntries {
    private final boolean production;

    LedgerEntries(boolean production) {
        this.production = production;
    }

    LedgerEntry read(Identity identity, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        String key = fields.requiredText("idempotency_key", LedgerEntry.MAX_KEY);
        Json event = fields.any("event").orElseThrow(() -> fields.missing("event"));
        fields.done();
        if (!(event instanceof JsonObject object)) {
            throw fields.wrong("event", "must be a JSON object");
        }
        LedgerEntry entry = entry(key, object);
        if (production && !entry.orgId().equals(identity.tenant())) {
            throw Problem.of(ProblemType.FORBIDDEN, "The token belongs to another organization than event.org_id")
                    .asException();
        }
        return entry;
    }

    /** The ledger's own words begin with the member that is wrong, such as {@code event.org_id}. */
    private static LedgerEntry entry(String key, JsonObject event) {
        try {
            return LedgerEntry.of(key, event);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String member = message.split("[ :]", 2)[0];
            String pointer =
                    member.toLowerCase(Locale.ROOT).matches("[a-z_.]+") ? "/" + member.replace('.', '/') : "/event";
            throw Problem.field(pointer, message).asException();
        }
    }
}
