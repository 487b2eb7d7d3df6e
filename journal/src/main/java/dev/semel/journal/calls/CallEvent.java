// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.internal.BoundedText;
import dev.semel.journal.rows.GroupRow;
import dev.semel.journal.rows.StoredJson;
import dev.semel.payload.json.JsonObject;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call event as a site sends it.
 *
 * @param siteId the site that sent the event
 * @param body the event; it is stored without any change
 * @param signatureHash {@link CallSignature#hashOf} the event's signature, verified or not; null without a signature
 * @param verified whether the signature was verified with the site's secret
 */
public record CallEvent(
        String siteId, JsonObject body, @Nullable String signatureHash, boolean verified) {
    /** The maximum number of characters of a site's id. */
    public static final int MAX_SITE = 255;

    /** The maximum number of bytes of a body. */
    public static final int MAX_BODY = GroupRow.MAX_BYTES;

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** An event whose signature is not verified. */
    public CallEvent(String siteId, JsonObject body, @Nullable String signatureHash) {
        this(siteId, body, signatureHash, false);
    }

    public CallEvent {
        BoundedText.check("site_id", siteId, MAX_SITE);
        Objects.requireNonNull(body, "body must not be null");
        if (signatureHash != null && !HASH.matcher(signatureHash).matches()) {
            throw new IllegalArgumentException("signatureHash must be 64 lower-case hexadecimal digits");
        }
        if (body.utf8().length > MAX_BODY) {
            throw new IllegalArgumentException("A call event must have at most %d bytes".formatted(MAX_BODY));
        }
    }

    CallEvent unsigned() {
        return new CallEvent(siteId, body, null, verified);
    }

    String text() {
        return StoredJson.text(body);
    }

    /** Contains neither the site nor the body, which may be confidential. */
    @Override
    public String toString() {
        return "CallEvent[" + (signatureHash == null ? "unsigned" : "signed") + "]";
    }
}
