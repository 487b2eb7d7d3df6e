// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secrets;
import dev.semel.payload.Body;
import dev.semel.payload.Kept;
import dev.semel.payload.MediaType;
import dev.semel.payload.StoredForms;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonString;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Shows stored results in redacted form, whatever they are stored as. What cannot be redacted is not shown. */
final class StoredResultView {
    /** Larger results are not parsed, so that one request needs little memory. */
    private static final int MAX_SHOWN = 64 << 10;

    private final StoredForms forms;

    StoredResultView(Secrets secrets) {
        forms = new StoredForms(Redaction.DEFAULT, new Sealer(secrets));
    }

    ShownResult of(ClaimRef ref, StoredResult stored) {
        if (stored.isTombstone()) {
            return hidden(stored, stored.text());
        }
        if (stored.isOmitted() || stored.size() > MAX_SHOWN) {
            return hidden(stored, "results of more than %d bytes are not shown".formatted(MAX_SHOWN));
        }
        try {
            return shown(stored, body(ref, stored));
        } catch (SealException e) {
            return hidden(stored, "the secret that encrypted the result is not active any more");
        } catch (JsonException | IllegalArgumentException e) {
            return hidden(stored, "results of this type are not shown");
        }
    }

    private Body body(ClaimRef ref, StoredResult stored) {
        if (MediaType.of(stored.type()).isJson() || MediaType.of(stored.type()).isPlainText()) {
            return new Body(stored.type(), stored.bytes());
        }
        Kept kept = forms.read(ref, stored);
        if (kept instanceof Kept.Exact exact) {
            return exact.body();
        }
        return ((Kept.Sanitised) kept).body();
    }

    private static ShownResult shown(StoredResult stored, Body body) {
        MediaType type = MediaType.of(body.mediaType());
        if (type.isPlainText()) {
            String text = new String(body.bytes(), StandardCharsets.UTF_8);
            return new ShownResult(
                    stored.type(),
                    stored.size(),
                    Redaction.DEFAULT.sanitisedText(text).map(JsonString::new),
                    "");
        }
        if (!type.isJson()) {
            return hidden(stored, "results of this type are not shown");
        }
        return new ShownResult(
                stored.type(), stored.size(), Optional.of(Redaction.DEFAULT.redacted(Json.parse(body.bytes()))), "");
    }

    private static ShownResult hidden(StoredResult stored, String note) {
        return new ShownResult(stored.type(), stored.size(), Optional.empty(), note);
    }
}
