// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Secrets;
import dev.semel.payload.MediaType;
import dev.semel.payload.compare.Change;
import dev.semel.payload.compare.Difference;
import dev.semel.payload.compare.Fingerprints;
import dev.semel.payload.compare.SketchLimits;
import dev.semel.payload.compare.Sketches;
import dev.semel.payload.compare.VolatileMembers;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parts of a request that are compared with the first request of the same key: method, path, query, body, tenant and
 * actor. Each is length-prefixed, so different requests have different fingerprints. A JSON body is compared in its
 * canonical form, any other body by its bytes.
 *
 * @param shownKey the key that the client sees
 * @param document the document whose sketch explains a mismatch
 */
record RequestFingerprint(ClaimKey key, String shownKey, ClaimRef binding, Fingerprint fingerprint, Json document) {
    private static final String BODY = "/body";

    /**
     * @throws JsonException if the media type is JSON and the body is not
     */
    static RequestFingerprint of(ApiRules rules, ApiRequest request) {
        boolean json =
                request.body().length > 0 && MediaType.of(request.mediaType()).isUtf8Json();
        Map<String, Json> document = new LinkedHashMap<>();
        document.put("path", new JsonString(request.path()));
        document.put("query", new JsonString(request.query()));
        Fingerprints prints = Fingerprints.of(request.tenant())
                .text("actor", request.actor())
                .text("credential", request.credential())
                .text("method", request.method())
                .text("path", request.path())
                .text("query", request.query());
        if (json) {
            Json body = Json.parse(request.body());
            prints.json("body", body);
            document.put("body", body);
        } else {
            prints.field("body", request.body());
            document.put("body", new JsonString(Fingerprint.of(request.body()).hex()));
        }
        Fingerprint fingerprint = prints.fingerprint();
        String scope = rules.scope(request.method(), request.actor());
        String shown = request.key().orElseGet(fingerprint::hex);
        // The two forms cannot collide: a digest has a fixed length, and either all or no requests of a route have one.
        String key = request.credential().isEmpty() ? shown : request.credential() + ":" + shown;
        return new RequestFingerprint(
                new ClaimKey(request.tenant(), scope, key),
                shown,
                binding(request.tenant(), scope, key),
                fingerprint,
                new JsonObject(document));
    }

    /** Does not depend on the secret of the claim, so that stored answers can be decrypted during a rotation. */
    private static ClaimRef binding(String tenant, String scope, String key) {
        return new ClaimRef(
                tenant,
                new Digest(Fingerprint.of("semel/http", tenant, scope, key).bytes()));
    }

    /** Creates sketches of requests and explains differences. */
    static Sketches sketches(Secrets secrets) {
        return Sketches.by(secrets, VolatileMembers.NONE, new SketchLimits(128, Fingerprint.MAX_SKETCH, 20));
    }

    Fingerprint sketched(Sketches sketches) {
        return fingerprint.withSketch(() -> sketches.sketch(binding, document));
    }

    /** Where this request differs from the sketched one: pointers into the body, or path, query, body. */
    Difference difference(Sketches sketches, Fingerprint earlier) {
        Difference difference = sketches.explain(binding, earlier.sketch(), document);
        return new Difference(
                difference.changes().stream()
                        .map(change -> new Change(change.kind(), shown(change.pointer())))
                        .toList(),
                difference.complete());
    }

    private static String shown(String pointer) {
        return pointer.startsWith(BODY + "/") ? pointer.substring(BODY.length()) : pointer.substring(1);
    }
}
