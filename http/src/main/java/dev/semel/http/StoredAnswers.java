// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

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
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts an answer to its stored form and back. If an answer cannot be stored in the form that the route requires, its
 * status and a note are stored. It is never stored in another form, and never as a failure, because the request took effect.
 */
final class StoredAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(StoredAnswers.class);
    private static final String SEALED = "semel/http-sealed";
    private static final String PLAIN = "semel/http";
    private static final String JSON = "application/json";
    private static final String DECIDED = "an operator decided that the request took effect, and gave this result";

    private final Sealer sealer;
    private final KeyDigests digests;
    private final StoredForms forms;

    StoredAnswers(Secrets secrets) {
        this.sealer = new Sealer(secrets);
        this.digests = new KeyDigests(secrets);
        this.forms = new StoredForms(Redaction.DEFAULT, sealer);
    }

    /** @param binding the claim to which the encrypted form is bound */
    StoredResult write(ApiRules rules, ClaimRef binding, ApiResult result, Expiry expiry) {
        StoredAnswer answer = stored(rules, binding, result, expiry);
        return answer.form() == StoredAnswer.Form.EXACT
                ? new StoredResult(SEALED, sealer.seal(binding, SEALED, answer.bytes()))
                : new StoredResult(PLAIN, answer.bytes());
    }

    /**
     * Reads an answer that was written for the same request, or the result that an operator gave. Empty if its secret is not
     * active any more.
     */
    Optional<StoredAnswer> read(RequestFingerprint print, StoredResult stored) {
        try {
            return Optional.of(isOfOperator(stored) ? decided(print.key(), stored) : opened(print.binding(), stored));
        } catch (SealException | IllegalArgumentException e) {
            LOG.warn("Reading a stored answer failed: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static boolean isOfOperator(StoredResult stored) {
        return StoredForms.isSealed(stored) || stored.type().equals(JSON);
    }

    /** An operator knows no status and no headers, only the result. It is encrypted for the claim's record, or not at all. */
    private StoredAnswer decided(ClaimKey key, StoredResult stored) {
        Body body = StoredForms.isSealed(stored) ? unsealed(key, stored) : new Body(JSON, stored.bytes());
        return new StoredAnswer(
                StoredAnswer.Form.EXACT,
                200,
                new Expiry(null),
                DECIDED,
                List.of(new HeaderLine("Content-Type", body.mediaType())),
                body.bytes());
    }

    private Body unsealed(ClaimKey key, StoredResult stored) {
        SealException last = null;
        for (KeyedRef keyed : digests.allOf(ClaimMode.LEASED, key)) {
            try {
                return ((Kept.Exact) forms.read(keyed.ref(), stored)).body();
            } catch (SealException e) {
                last = e;
            }
        }
        throw Objects.requireNonNull(last, "There is always a current secret");
    }

    private StoredAnswer opened(ClaimRef binding, StoredResult stored) {
        return switch (stored.type()) {
            case SEALED -> StoredAnswer.of(sealer.open(binding, SEALED, stored.bytes()));
            case PLAIN -> StoredAnswer.of(stored.bytes());
            default ->
                throw new IllegalArgumentException(
                        "A result of type %s is not a stored answer: another application uses the same scope"
                                .formatted(stored.type()));
        };
    }

    private StoredAnswer stored(ApiRules rules, ClaimRef binding, ApiResult result, Expiry expiry) {
        if (result instanceof ApiResult.Streamed streamed) {
            return StoredAnswer.nothing(streamed.status(), expiry, streamed.why());
        }
        ApiAnswer answer = ((ApiResult.Complete) result).answer();
        if (rules.store() == Keep.NONE) {
            return StoredAnswer.nothing(answer.status(), expiry, "by its settings the route stores no answers");
        }
        List<HeaderLine> headers = rules.replayed().of(answer.headers());
        if (answer.body().length > rules.maxAnswerBytes()
                || StoredAnswer.sizeOf(headers) > StoredAnswer.MAX_HEADER_BYTES) {
            return StoredAnswer.nothing(answer.status(), expiry, "the answer was too large");
        }
        return rules.store() == Keep.SEALED
                ? new StoredAnswer(StoredAnswer.Form.EXACT, answer.status(), expiry, "", headers, answer.body())
                : sanitised(binding, answer, headers, expiry);
    }

    private StoredAnswer sanitised(ClaimRef binding, ApiAnswer answer, List<HeaderLine> headers, Expiry expiry) {
        List<HeaderLine> safe = headers.stream()
                .filter(line -> !line.name().toLowerCase(Locale.ROOT).equals("content-encoding"))
                .map(line -> new HeaderLine(
                        line.name(),
                        Redaction.DEFAULT.sanitisedText(line.value()).orElse("")))
                .toList();
        if (answer.body().length == 0) {
            return new StoredAnswer(StoredAnswer.Form.SANITISED, answer.status(), expiry, "", safe, answer.body());
        }
        if (answer.header("Content-Encoding")
                .filter(coding -> !coding.equalsIgnoreCase("identity"))
                .isPresent()) {
            return StoredAnswer.nothing(
                    answer.status(),
                    expiry,
                    "a compressed answer cannot be sanitised: store this route's answers sealed");
        }
        String mediaType = answer.header("Content-Type").orElse("application/octet-stream");
        Kept kept = StoredForms.unsealed(forms.write(Keep.SANITISED, binding, new Body(mediaType, answer.body())));
        return kept instanceof Kept.Sanitised body
                ? new StoredAnswer(
                        StoredAnswer.Form.SANITISED,
                        answer.status(),
                        expiry,
                        "",
                        safe,
                        body.body().bytes())
                : StoredAnswer.nothing(answer.status(), expiry, ((Kept.Nothing) kept).why());
    }
}
