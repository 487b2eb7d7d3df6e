// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Optional;

/** What is done with a request, decided by its headers alone and before its body is read. */
public sealed interface Admission {
    /** It is not protected, and passes through as it is. */
    record PassThrough() implements Admission {}

    /** It is answered with this, and nothing runs. */
    record Refused(ApiAnswer answer) implements Admission {}

    /** It runs once for this key; without one, for the digest of its fingerprint. */
    record Guarded(Optional<String> key) implements Admission {}

    /**
     * Decides by the route's rules.
     *
     * @param keys the values of all {@code Idempotency-Key} headers
     */
    static Admission of(ApiRules rules, List<String> keys) {
        if (rules.key() == KeyPolicy.OFF) {
            return new PassThrough();
        }
        IdempotencyKey key = IdempotencyKey.of(keys);
        if (key instanceof IdempotencyKey.Given given) {
            return new Guarded(Optional.of(given.text()));
        }
        if (key instanceof IdempotencyKey.Malformed malformed) {
            return new Refused(rules.problems().malformedKey(malformed.why()));
        }
        return switch (rules.key()) {
            case REQUIRED -> new Refused(rules.problems().missingKey(rules.profile()));
            case DERIVE -> new Guarded(Optional.empty());
            case OPTIONAL, OFF -> new PassThrough();
        };
    }
}
