// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoredResult;
import dev.semel.content.Body;
import dev.semel.content.Kept;
import dev.semel.content.StoredForms;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonNull;
import dev.semel.content.json.JsonString;
import dev.semel.content.safe.AllowList;
import dev.semel.content.safe.Redaction;
import dev.semel.content.safe.Sanitiser;
import dev.semel.content.seal.SealException;
import dev.semel.content.seal.Sealer;
import dev.semel.key.Secrets;
import dev.semel.operations.ResultForms;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From a result in JSON to what is stored of it, and back. */
public final class Results {
    private static final String JSON = "application/json";

    private final Secrets secrets;
    private final Sealer sealer;
    private final ResultForms forms;

    public Results(Secrets secrets) {
        this.secrets = secrets;
        this.sealer = new Sealer(secrets);
        this.forms = new ResultForms(secrets);
    }

    /** The token that is given out with a claim. */
    ClaimToken tokenOf(ResultKind kind, OwnerToken owner) {
        return new ClaimToken(kind, secrets.current().id(), owner);
    }

    /**
     * What is stored of a result. The same result under the same token gives the same bytes, also in another process and
     * after another secret was promoted, so that a settlement that is sent again is recognised.
     */
    StoredResult stored(ClaimToken token, ClaimRef ref, Json result) {
        Sanitiser sanitiser = token.kind() == ResultKind.INPUTS ? AllowList.CUSTOMER_SAFE : Redaction.DEFAULT;
        return new StoredForms(sanitiser, sealer.by(token.secretId()))
                .write(token.kind().keep(), ref, new Body(JSON, result.utf8()));
    }

    /** Where the claim may be: by each of its names and each live secret. */
    List<ClaimRef> refsOf(AliasedKey key) {
        return forms.refsOf(key);
    }

    /** Puts what a replay has to say into an answer: the result, and in which form it was kept. */
    void replay(AliasedKey key, @Nullable StoredResult stored, Map<String, Json> answer) {
        if (stored == null) {
            nothing("it was settled without a result", answer);
            return;
        }
        if (stored.isOmitted()) {
            answer.put("result", JsonNull.NULL);
            answer.put("result_form", new JsonString("omitted"));
            answer.put("result_note", new JsonString("ask for this claim alone"));
            return;
        }
        Kept kept;
        try {
            kept = forms.read(key, stored);
        } catch (SealException e) {
            nothing("it was sealed by a secret that is not alive any more", answer);
            return;
        }
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
