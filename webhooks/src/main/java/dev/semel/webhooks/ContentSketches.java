// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secrets;
import dev.semel.payload.compare.Difference;
import dev.semel.payload.compare.SketchLimits;
import dev.semel.payload.compare.Sketches;
import dev.semel.payload.compare.VolatileMembers;
import dev.semel.payload.json.Json;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the stored result of a processed event: the fingerprint of its content, and a sketch that shows where a
 * later duplicate differs. Layout: fingerprint, digest of the claim that the sketch is bound to, sketch.
 */
final class ContentSketches {
    private static final String TYPE = "semel/webhook";
    private static final int HEADER = Fingerprint.LENGTH + Digest.LENGTH;

    /** Small, because every event has a sketch, which is stored for weeks. */
    private static final SketchLimits LIMITS = new SketchLimits(64, 2_048, 20);

    private final Sketches sketches;

    ContentSketches(Secrets secrets) {
        this.sketches = Sketches.by(secrets, VolatileMembers.NONE, LIMITS);
    }

    StoredResult of(ClaimRef claim, Fingerprint fingerprint, Json event) {
        byte[] sketch = sketches.sketch(claim, event);
        return new StoredResult(
                TYPE,
                ByteBuffer.allocate(HEADER + sketch.length)
                        .put(fingerprint.bytes())
                        .put(claim.digest().bytes())
                        .put(sketch)
                        .array());
    }

    /** Where the event differs from the processed one. Empty if the two are equal or no sketch is stored. */
    Optional<Difference> difference(@Nullable StoredResult stored, IncomingEvent now) {
        if (stored == null || !stored.type().equals(TYPE) || stored.size() < HEADER) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(stored.bytes());
        byte[] fingerprint = new byte[Fingerprint.LENGTH];
        byte[] digest = new byte[Digest.LENGTH];
        byte[] sketch = new byte[stored.size() - HEADER];
        in.get(fingerprint).get(digest).get(sketch);
        if (new Fingerprint(fingerprint).equals(now.fingerprint())) {
            return Optional.empty();
        }
        ClaimRef claim = new ClaimRef(now.request().tenant(), new Digest(digest));
        return Optional.of(sketches.explain(claim, sketch, now.fragment().json()));
    }
}
