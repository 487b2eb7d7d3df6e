// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.KeyedRef;
import dev.semel.key.Secrets;
import dev.semel.payload.Body;
import dev.semel.payload.Keep;
import dev.semel.payload.Kept;
import dev.semel.payload.StoredForms;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.safe.Sanitiser;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * JSON results as they are stored for a key, and read back. A sealed result is bound to its claim, but while secrets are
 * rotated, or where a claim has aliases, whoever reads does not know by which of its digests the record was made: all
 * digests of the key by live secrets are tried. There are as many as live secrets, squared for {@link OperationKey}s;
 * outside a rotation there is one.
 *
 * <p>A sealed result opens as long as the secret that sealed it is alive: when a secret is retired, keep it for as long
 * as results that it sealed shall be replayed.
 *
 * <p>Writing is deterministic: the same result, written again for the same key by the same current secret, is equal, so
 * that settling with it again is confirmed. Whoever may settle again after another secret was promoted keeps the
 * {@link StoredResult} and sends that.
 */
public final class ResultForms {
    private static final String JSON = "application/json";
    /** Reading sanitises nothing. */
    private static final Sanitiser NOBODY_ASKS = Rules.PAYMENT.sanitiser();

    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final KeyDigests digests;
    private final Sealer sealer;

    public ResultForms(Secrets secrets) {
        this.digests = new KeyDigests(Objects.requireNonNull(secrets, "Secrets must not be null"));
        this.sealer = new Sealer(secrets);
    }

    /** The form in which these rules store a result; a tombstone if nothing of it may be stored. */
    public StoredResult write(Rules rules, AliasedKey key, Json result) {
        StoredResult stored = forms(rules.sanitiser())
                .write(rules.keep(), digests.refOf(ClaimMode.LEASED, key.key()), new Body(JSON, result.utf8()));
        if (rules.keep() == Keep.SANITISED && isEmptied(result, stored)) {
            return StoredResult.tombstone("nothing of this result may be stored: none of its members is allowed");
        }
        return stored;
    }

    /**
     * What a stored result has to say to a replay of this key.
     *
     * @throws SealException if it is sealed, and does not open for any digest of the key
     */
    public Kept read(AliasedKey key, StoredResult stored) {
        if (!StoredForms.isSealed(stored)) {
            return StoredForms.unsealed(stored);
        }
        StoredForms forms = forms(NOBODY_ASKS);
        List<ClaimRef> refs = refsOf(key);
        for (ClaimRef ref : refs.subList(0, refs.size() - 1)) {
            try {
                return forms.read(ref, stored);
            } catch (SealException e) {
                if (e.reason() != SealException.Reason.NOT_AUTHENTIC) {
                    throw e;
                }
            }
        }
        return forms.read(refs.get(refs.size() - 1), stored);
    }

    private StoredForms forms(Sanitiser sanitiser) {
        return new StoredForms(sanitiser, sealer);
    }

    /** Where the claim on this key may be: by each of its names and each live secret. */
    public List<ClaimRef> refsOf(AliasedKey key) {
        Stream<ClaimKey> keys = Stream.concat(Stream.of(key.key()), key.aliases().stream());
        return keys.flatMap(one -> digests.allOf(ClaimMode.LEASED, one).stream())
                .map(KeyedRef::ref)
                .toList();
    }

    /** An empty object would look like an answer; what is left of nothing is no result. */
    private static boolean isEmptied(Json result, StoredResult stored) {
        return result instanceof JsonObject object
                && !object.members().isEmpty()
                && Arrays.equals(stored.bytes(), EMPTY_OBJECT);
    }
}
