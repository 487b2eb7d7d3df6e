// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Optional;

/** The decision about a request, made from its headers before its body is read. */
public sealed interface Admission {
    /** The request is not protected and passes through unchanged. */
    record PassThrough() implements Admission {}

    /** The request is answered with this problem and does not run. */
    record Refused(ApiAnswer answer) implements Admission {}

    /** The request runs once for this key, or once for its fingerprint if it has no key. */
    record Guarded(Optional<String> key) implements Admission {}

    /**
     * Decides according to the rules of the route.
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
