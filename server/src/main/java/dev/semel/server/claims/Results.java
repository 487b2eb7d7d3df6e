// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.content.Body;
import dev.semel.content.Keep;
import dev.semel.content.Kept;
import dev.semel.content.StoredForms;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonNull;
import dev.semel.content.json.JsonString;
import dev.semel.content.safe.AllowList;
import dev.semel.content.safe.Redaction;
import dev.semel.content.seal.Sealer;
import dev.semel.key.Secrets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From a result in JSON to what is stored of it, and back. */
public final class Results {
    private static final String JSON = "application/json";

    private final StoredForms redacted;
    private final StoredForms allowed;

    public Results(Secrets secrets) {
        Sealer sealer = new Sealer(secrets);
        this.redacted = new StoredForms(Redaction.DEFAULT, sealer);
        this.allowed = new StoredForms(AllowList.CUSTOMER_SAFE, sealer);
    }

    StoredResult stored(ResultKind kind, ClaimRef ref, Json result) {
        StoredForms forms = kind == ResultKind.INPUTS ? allowed : redacted;
        return forms.write(Keep.SANITISED, ref, new Body(JSON, result.utf8()));
    }

    /** Puts what a replay has to say into an answer: the result, and in which form it was kept. */
    void replay(ClaimRef ref, @Nullable StoredResult stored, Map<String, Json> answer) {
        if (stored == null) {
            nothing("it was settled without a result", answer);
            return;
        }
        Kept kept = redacted.read(ref, stored);
        if (kept instanceof Kept.Sanitised sanitised) {
            put(sanitised.body(), "sanitised", answer);
        } else if (kept instanceof Kept.Exact exact) {
            put(exact.body(), "exact", answer);
        } else {
            nothing(((Kept.Nothing) kept).why(), answer);
        }
    }

    private static void put(Body body, String form, Map<String, Json> answer) {
        answer.put("result", Json.parse(body.bytes()));
        answer.put("result_form", new JsonString(form));
    }

    private static void nothing(String why, Map<String, Json> answer) {
        answer.put("result", JsonNull.NULL);
        answer.put("result_form", new JsonString("none"));
        answer.put("result_note", new JsonString(why));
    }
}
