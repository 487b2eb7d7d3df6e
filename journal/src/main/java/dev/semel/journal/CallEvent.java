// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.internal.BoundedText;
import dev.semel.payload.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call event as a site sends it.
 *
 * @param siteId whose it is
 * @param body what it says; kept letter by letter
 * @param signatureHash {@link CallSignature#hashOf} the signature that came with it, verified or not; null without one
 * @param verified whether the signature was checked, by the site\'s secret
 */
public record CallEvent(
        String siteId, JsonObject body, @Nullable String signatureHash, boolean verified) {
    /** The most characters a site's name may have. */
    public static final int MAX_SITE = 255;

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** One whose signature nobody has checked. */
    public CallEvent(String siteId, JsonObject body, @Nullable String signatureHash) {
        this(siteId, body, signatureHash, false);
    }

    public CallEvent {
        BoundedText.check("site_id", siteId, MAX_SITE);
        Objects.requireNonNull(body, "A call event's body must not be null");
        if (signatureHash != null && !HASH.matcher(signatureHash).matches()) {
            throw new IllegalArgumentException("A signature's hash must be 64 lower-case hexadecimal digits");
        }
        if (body.utf8().length > LedgerEntry.MAX_SIZE) {
            throw new IllegalArgumentException(
                    "A call event must have at most %d bytes".formatted(LedgerEntry.MAX_SIZE));
        }
    }

    String text() {
        return new String(body.utf8(), StandardCharsets.UTF_8);
    }

    /** Leaves out what it holds: call events are other people's. */
    @Override
    public String toString() {
        return "CallEvent[" + (signatureHash == null ? "unsigned" : "signed") + "]";
    }
}
