// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonLimits;
import dev.semel.payload.redact.Sanitiser;
import dev.semel.payload.seal.Sealer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/**
 * Converts a body to its stored form and back. A body that cannot be stored in the requested form becomes a tombstone with
 * the reason. The raw body is never stored instead, and no exception is thrown, because the effect has already happened and
 * must not happen again.
 */
public final class StoredForms {
    private static final String SANITISED = "sanitised:";
    // A suffix of the media type, so that earlier versions can still read the result.
    private static final String WHOLE = ";whole";
    private static final String PARTIAL = ";partial";
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
     * Converts a body to its stored form.
     *
     * @param claim the claim that the body settles
     */
    public StoredResult write(Keep keep, ClaimRef claim, Body body) {
        return switch (keep) {
            case NONE -> StoredResult.tombstone("by its settings, nothing is stored of this result");
            case SANITISED -> sanitised(MediaType.of(body.mediaType()), body.bytes());
            case SEALED -> sealed(claim, body);
        };
    }

    /** Whether the result is encrypted, so that reading it needs the claim. */
    public static boolean isSealed(StoredResult stored) {
        return stored.type().equals(SEALED);
    }

    /** Reads a stored result for a replay. */
    public Kept read(ClaimRef claim, StoredResult stored) {
        return isSealed(stored) ? opened(sealer.open(claim, SEALED, stored.bytes())) : unsealed(stored);
    }

    /** Reads a result that is not encrypted, for which {@link #read} does not use the claim. */
    public static Kept unsealed(StoredResult stored) {
        if (stored.isTombstone()) {
            return new Kept.Nothing(stored.text());
        }
        if (stored.type().startsWith(SANITISED)) {
            String essence = unmarked(stored.type()).substring(SANITISED.length());
            return new Kept.Sanitised(new Body(essence, stored.bytes()), extent(stored.type()));
        }
        throw new IllegalArgumentException(
                "A result of type %s was not written by StoredForms: read it with the codec that wrote it"
                        .formatted(stored.type()));
    }

    /**
     * The same result in the form of earlier versions, which did not store its {@link Kept.Extent}. It helps to recognize a
     * settlement that such a version has applied. Empty if both forms are equal.
     */
    public static Optional<StoredResult> unmarked(StoredResult stored) {
        return stored.type().startsWith(SANITISED) && extent(stored.type()) != Kept.Extent.UNKNOWN
                ? Optional.of(new StoredResult(unmarked(stored.type()), stored.bytes()))
                : Optional.empty();
    }

    private static String unmarked(String type) {
        return switch (extent(type)) {
            case WHOLE -> type.substring(0, type.length() - WHOLE.length());
            case PARTIAL -> type.substring(0, type.length() - PARTIAL.length());
            case UNKNOWN -> type;
        };
    }

    private static Kept.Extent extent(String type) {
        if (type.endsWith(WHOLE)) {
            return Kept.Extent.WHOLE;
        }
        return type.endsWith(PARTIAL) ? Kept.Extent.PARTIAL : Kept.Extent.UNKNOWN;
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
            Json json = Json.parse(body, limits);
            return sanitiser
                    .sanitised(json)
                    .map(safe -> bounded(type.essence(), safe.utf8(), safe.equals(json)))
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
                .map(safe -> bounded(
                        type.essence(),
                        safe.getBytes(StandardCharsets.UTF_8),
                        text.get().equals(safe)))
                .orElseGet(() -> StoredResult.tombstone("nothing of this result may be stored: it is plain text"));
    }

    /** Checks the size, because a mask can be longer than the text it replaces. */
    private static StoredResult bounded(String essence, byte[] body, boolean whole) {
        if (body.length > StoredResult.MAX_BYTES) {
            return tooLarge();
        }
        boolean fits = SANITISED.length() + essence.length() <= StoredResult.MAX_TYPE
                && essence.chars().allMatch(c -> c > ' ' && c < 0x7f);
        String type = SANITISED + (fits ? essence : JSON);
        String marked = type + (whole ? WHOLE : PARTIAL);
        // A replay needs the media type more than the extent.
        return new StoredResult(marked.length() <= StoredResult.MAX_TYPE ? marked : type, body);
    }

    private static StoredResult tooLarge() {
        return StoredResult.tombstone("the result is too large to be stored");
    }

    /** The media type is encrypted together with the body, so that a replay returns it exactly. */
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
