// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secrets;
import dev.semel.operations.ResultForms;
import dev.semel.payload.Body;
import dev.semel.payload.Kept;
import dev.semel.payload.StoredForms;
import dev.semel.payload.json.Json;
import dev.semel.payload.safe.Redaction;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.List;

/** From a result in JSON to what is stored of it, and back. */
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

    /** The token that is given out with a claim. */
    ClaimToken tokenOf(ResultStorage storage, OwnerToken owner) {
        return new ClaimToken(storage, secrets.current().id(), owner);
    }

    /**
     * What is stored of a result. The same result under the same token gives the same bytes, also in another process and
     * after another secret was promoted, so that a settlement that is sent again is recognised.
     */
    StoredResult stored(ClaimToken token, ClaimRef ref, Json result) {
        ResultStorage storage = token.storage();
        return new StoredForms(storage.sanitiser(), sealer.by(token.secretId()))
                .write(storage.keep(), ref, new Body(JSON, result.utf8()));
    }

    /** Where the claim may be: by each of its names and each live secret. */
    List<ClaimRef> refsOf(AliasedKey key) {
        return forms.refsOf(key);
    }

    /** Where the claim may be: for each key that the client gave, by each live secret. */
    List<List<ClaimRef>> refsOf(RequestedClaim request) {
        return request.given().stream().map(this::refsOf).toList();
    }

    /**
     * What is kept of a result.
     *
     * @throws SealException if it does not open
     */
    Kept read(AliasedKey key, StoredResult stored) {
        return forms.read(key, stored);
    }

    /** As {@link #read(AliasedKey, StoredResult)}, of the record with this reference. */
    Kept read(ClaimRef record, StoredResult stored) {
        return new StoredForms(Redaction.DEFAULT, sealer).read(record, stored);
    }
}
