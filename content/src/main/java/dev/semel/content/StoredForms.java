// SPDX-License-Identifier: Apache-2.0
package dev.semel.content;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonException;
import dev.semel.content.json.JsonLimits;
import dev.semel.content.safe.Sanitiser;
import dev.semel.content.seal.Sealer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/**
 * From a body to its stored form, and back. What cannot be stored in the form that was asked for becomes a tombstone
 * that says why: never the raw body, never an exception, because the effect has happened and must not happen again.
 */
public final class StoredForms {
    private static final String SANITISED = "sanitised:";
    private static final String SEALED = "semel/sealed";
    private static final String JSON = "application/json";

    private final Sanitiser sanitiser;
    private final Sealer sealer;
    private final JsonLimits limits;

    public StoredForms(Sanitiser sanitiser, Sealer sealer) {
        this(sanitiser, sealer, JsonLimits.DEFAULT);
    }

    public StoredForms(Sanitiser sanitiser, Sealer sealer, JsonLimits limits) {
        this.sanitiser = Objects.requireNonNull(sanitiser, "A sanitiser must not be null");
        this.sealer = Objects.requireNonNull(sealer, "A sealer must not be null");
        this.limits = Objects.requireNonNull(limits, "Limits must not be null");
    }

    /**
     * The form in which this body is stored.
     *
     * @param claim the claim that it settles
     */
    public StoredResult write(Keep keep, ClaimRef claim, Body body) {
        return switch (keep) {
            case NONE -> StoredResult.tombstone("by its settings, nothing is stored of this result");
            case SANITISED -> sanitised(MediaType.of(body.mediaType()), body.bytes());
            case SEALED -> sealed(claim, body);
        };
    }

    /** Whether it takes the claim's own digest to read this. */
    public static boolean isSealed(StoredResult stored) {
        return stored.type().equals(SEALED);
    }

    /** What a stored result has to say to a replay. */
    public Kept read(ClaimRef claim, StoredResult stored) {
        return isSealed(stored) ? opened(sealer.open(claim, SEALED, stored.bytes())) : unsealed(stored);
    }

    /** As {@link #read}, for what is not sealed, and says the same whoever claims. */
    public static Kept unsealed(StoredResult stored) {
        if (stored.isTombstone()) {
            return new Kept.Nothing(stored.text());
        }
        if (stored.type().startsWith(SANITISED)) {
            return new Kept.Sanitised(new Body(stored.type().substring(SANITISED.length()), stored.bytes()));
        }
        throw new IllegalArgumentException(
                "A result of type %s was not written by StoredForms: read it with the codec that wrote it"
                        .formatted(stored.type()));
    }

    private StoredResult sanitised(MediaType type, byte[] body) {
        if (!type.utf8()) {
            return StoredResult.tombstone("only UTF-8 can be stored sanitised: store this result sealed");
        }
        if (type.isJson()) {
            return sanitisedJson(type, body);
        }
        if (type.isPlainText()) {
            return sanitisedText(type, body);
        }
        return StoredResult.tombstone(
                "only JSON and plain text can be stored sanitised: store results of other types sealed");
    }

    private StoredResult sanitisedJson(MediaType type, byte[] body) {
        try {
            return sanitiser
                    .sanitised(Json.parse(body, limits))
                    .map(safe -> bounded(type.essence(), safe.utf8()))
                    .orElseGet(
                            () -> StoredResult.tombstone("nothing of this result may be stored: it is no JSON object"));
        } catch (JsonException e) {
            return StoredResult.tombstone("the result is no JSON that could be sanitised: " + e.reason());
        }
    }

    private StoredResult sanitisedText(MediaType type, byte[] body) {
        Optional<String> text = utf8(body);
        if (text.isEmpty()) {
            return StoredResult.tombstone("the result is not UTF-8, and is not stored as it is");
        }
        return text.flatMap(sanitiser::sanitisedText)
                .map(safe -> bounded(type.essence(), safe.getBytes(StandardCharsets.UTF_8)))
                .orElseGet(() -> StoredResult.tombstone("nothing of this result may be stored: it is plain text"));
    }

    /** Masks can be longer than what they hide. */
    private static StoredResult bounded(String essence, byte[] body) {
        if (body.length > StoredResult.MAX_BYTES) {
            return tooLarge();
        }
        boolean fits = SANITISED.length() + essence.length() <= StoredResult.MAX_TYPE
                && essence.chars().allMatch(c -> c > ' ' && c < 0x7f);
        return new StoredResult(SANITISED + (fits ? essence : JSON), body);
    }

    private static StoredResult tooLarge() {
        return StoredResult.tombstone("the result is too large to be stored");
    }

    /** The media type is sealed in front of the body, to be replayed exactly too. */
    private StoredResult sealed(ClaimRef claim, Body body) {
        byte[] type = body.mediaType().getBytes(StandardCharsets.UTF_8);
        if (body.size() > Sealer.MAX_BYTES - Integer.BYTES - type.length) {
            return tooLarge();
        }
        byte[] content = ByteBuffer.allocate(Integer.BYTES + type.length + body.size())
                .putInt(type.length)
                .put(type)
                .put(body.bytes())
                .array();
        return new StoredResult(SEALED, sealer.seal(claim, SEALED, content));
    }

    private static Kept opened(byte[] content) {
        ByteBuffer in = ByteBuffer.wrap(content);
        byte[] type = new byte[in.getInt()];
        in.get(type);
        byte[] body = new byte[in.remaining()];
        in.get(body);
        return new Kept.Exact(new Body(new String(type, StandardCharsets.UTF_8), body));
    }

    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
