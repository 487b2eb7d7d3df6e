// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secrets;
import dev.semel.operations.ResultForms;
import dev.semel.payload.Body;
import dev.semel.payload.Keep;
import dev.semel.payload.Kept;
import dev.semel.payload.StoredForms;
import dev.semel.payload.json.Json;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.List;

/** Converts results between JSON and their stored form. */
public final class ClaimResults {
    private static final String JSON = "application/json";

    private final Secrets secrets;
    private final Sealer sealer;
    private final ResultForms forms;

    public ClaimResults(Secrets secrets) {
        this.secrets = secrets;
        this.sealer = new Sealer(secrets);
        this.forms = new ResultForms(secrets);
    }

    /** Creates the token that is returned with a claim. */
    ClaimToken tokenOf(ResultStorage storage, OwnerToken owner) {
        return new ClaimToken(storage, secrets.current().id(), owner);
    }

    /**
     * Returns the stored form of a result. The same result and token give the same bytes, even in another process and
     * after another secret was promoted. A settlement that is sent again is therefore recognized.
     */
    StoredResult stored(ClaimToken token, ClaimRef ref, Json result) {
        ResultStorage storage = token.storage();
        return new StoredForms(storage.sanitiser(), sealer.by(token.secretId()))
                .write(storage.keep(), ref, new Body(JSON, result.utf8()));
    }

    /** Returns the stored form of a result that an operator gives: encrypted. */
    public StoredResult storedForOperator(ClaimRef ref, Json result) {
        return new StoredForms(Redaction.DEFAULT, sealer).write(Keep.SEALED, ref, new Body(JSON, result.utf8()));
    }

    /** Returns all references that the claim may have: one for each of its keys and each active secret. */
    List<ClaimRef> refsOf(AliasedKey key) {
        return forms.refsOf(key);
    }

    /** Returns all references that the claim may have: for each key of the request, one for each active secret. */
    List<List<ClaimRef>> refsOf(RequestedClaim request) {
        return request.given().stream().map(this::refsOf).toList();
    }

    /**
     * Decodes a stored result.
     *
     * @throws SealException if it cannot be decrypted
     */
    Kept read(AliasedKey key, StoredResult stored) {
        return forms.read(key, stored);
    }

    /** Like {@link #read(AliasedKey, StoredResult)}, for the record with this reference. */
    Kept read(ClaimRef record, StoredResult stored) {
        return new StoredForms(Redaction.DEFAULT, sealer).read(record, stored);
    }
}
