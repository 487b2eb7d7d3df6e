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
import dev.semel.payload.redact.Sanitiser;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Writes the JSON result of a key in its stored form and reads it back.
 *
 * <p>An encrypted result is bound to its claim. During a rotation, or if a claim has aliases, a reader does not know which of
 * its digests the record has, so all digests of the key by active secrets are tried. Their number is the number of active
 * secrets, squared for {@link OperationKey}s. Outside a rotation there is one.
 *
 * <p>An encrypted result can be decrypted while the secret that encrypted it is active. Retire a secret only when its results
 * no longer need to be replayed.
 *
 * <p>Writing is deterministic: the same result for the same key and current secret gives equal bytes, so settling again with it
 * is confirmed. A caller that may settle again after a rotation must keep the {@link StoredResult} and send that.
 */
public final class ResultForms {
    private static final String JSON = "application/json";
    /** Required to construct the forms, but never used for reading. */
    private static final Sanitiser UNUSED = OperationRules.PAYMENT.sanitiser();

    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final KeyDigests digests;
    private final Sealer sealer;

    public ResultForms(Secrets secrets) {
        this.digests = new KeyDigests(Objects.requireNonNull(secrets, "Secrets must not be null"));
        this.sealer = new Sealer(secrets);
    }

    /** Writes a result in the form that the rules choose. The form is a tombstone if nothing of the result may be stored. */
    public StoredResult write(OperationRules rules, AliasedKey key, Json result) {
        StoredResult stored = forms(rules.sanitiser())
                .write(rules.keep(), digests.refOf(ClaimMode.LEASED, key.key()), new Body(JSON, result.utf8()));
        if (rules.keep() == Keep.SANITISED && isEmptied(result, stored)) {
            return StoredResult.tombstone("nothing of this result may be stored: none of its members is allowed");
        }
        return stored;
    }

    /**
     * Reads a stored result for a replay of this key.
     *
     * @throws SealException if the result is encrypted and cannot be decrypted with any digest of the key
     */
    public Kept read(AliasedKey key, StoredResult stored) {
        if (!StoredForms.isSealed(stored)) {
            return StoredForms.unsealed(stored);
        }
        StoredForms forms = forms(UNUSED);
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

    /** The references under which the claim on this key may be stored: for each key and alias, by each active secret. */
    public List<ClaimRef> refsOf(AliasedKey key) {
        List<ClaimRef> refs = new ArrayList<>();
        addRefs(key.key(), refs);
        key.aliases().forEach(alias -> addRefs(alias, refs));
        return List.copyOf(refs);
    }

    private void addRefs(ClaimKey key, List<ClaimRef> refs) {
        for (KeyedRef one : digests.allOf(ClaimMode.LEASED, key)) {
            refs.add(one.ref());
        }
    }

    /** Whether sanitising removed all members. An empty object would look like a real result. */
    private static boolean isEmptied(Json result, StoredResult stored) {
        return result instanceof JsonObject object
                && !object.members().isEmpty()
                && Arrays.equals(stored.bytes(), EMPTY_OBJECT);
    }
}
