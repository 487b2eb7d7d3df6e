// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.IdempotencyHeaders;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The expected properties of an answer. All are optional.
 *
 * @param is MISS, HIT, IN_PROGRESS or CONFLICT; THROUGH if the request passed through
 * @param headers the exact values of all lines of a name, in order
 * @param matching regular expressions for headers
 * @param headersOf the values must equal those of an earlier step
 * @param bodyOf the bytes must equal those of an earlier step
 * @param without texts that the answer must not contain
 * @param runs how often the path must have run
 */
record Expected(
        Optional<Integer> status,
        Optional<String> is,
        Map<String, List<String>> headers,
        Map<String, List<String>> matching,
        List<String> absent,
        Map<String, List<String>> headersOf,
        Optional<String> body,
        Optional<String> base64,
        Optional<String> bodyLike,
        Optional<Integer> bodySize,
        Optional<String> bodyOf,
        List<String> without,
        Optional<Integer> runs) {
    static Expected of(Members members) {
        Expected expected = new Expected(
                members.number("status"),
                members.text("is"),
                members.textsByName("headers"),
                members.textsByName("matching"),
                members.texts("absent"),
                members.textsByName("headers_of"),
                members.text("body"),
                members.text("body_base64"),
                members.text("body_like"),
                members.number("body_size"),
                members.text("body_of"),
                members.texts("without"),
                members.number("runs"));
        members.end();
        return expected;
    }

    /** @param earlier the answer of an earlier step, by name */
    void check(RawAnswer answer, Function<String, RawAnswer> earlier) {
        String shown = answer.toString();
        status.ifPresent(
                wanted -> assertThat(answer.status()).as("status of %s", shown).isEqualTo(wanted));
        is.ifPresent(wanted -> checkStatus(answer, wanted, shown));
        headers.forEach((name, values) ->
                assertThat(answer.headers(name)).as("%s of %s", name, shown).isEqualTo(values));
        matching.forEach((name, values) -> assertThat(answer.header(name).orElse(""))
                .as("%s of %s", name, shown)
                .matches(values.get(0)));
        absent.forEach(name ->
                assertThat(answer.headers(name)).as("%s of %s", name, shown).isEmpty());
        headersOf.forEach((name, step) -> assertThat(answer.headers(name))
                .as("%s of %s", name, shown)
                .isEqualTo(earlier.apply(step.get(0)).headers(name)));
        body.ifPresent(
                wanted -> assertThat(answer.text()).as("body of %s", shown).isEqualTo(wanted));
        base64.ifPresent(wanted -> assertThat(Base64.getEncoder().encodeToString(answer.body()))
                .as("body of %s", shown)
                .isEqualTo(wanted));
        bodyLike.ifPresent(
                wanted -> assertThat(answer.text()).as("body of %s", shown).matches("(?s)" + wanted));
        bodySize.ifPresent(
                wanted -> assertThat(answer.body()).as("body of %s", shown).hasSize(wanted));
        bodyOf.ifPresent(step -> assertThat(answer.body())
                .as("body of %s", shown)
                .isEqualTo(earlier.apply(step).body()));
        without.forEach(part -> assertThat(answer.headers() + answer.text()).doesNotContain(part));
    }

    private static void checkStatus(RawAnswer answer, String wanted, String shown) {
        boolean through = wanted.equals("THROUGH");
        assertThat(answer.headers(IdempotencyHeaders.STATUS))
                .as("%s of %s", IdempotencyHeaders.STATUS, shown)
                .isEqualTo(through ? List.of() : List.of(wanted));
        assertThat(answer.headers(IdempotencyHeaders.REPLAYED))
                .as("%s of %s", IdempotencyHeaders.REPLAYED, shown)
                .isEqualTo(wanted.equals("HIT") ? List.of("true") : List.of());
        assertThat(answer.headers(IdempotencyHeaders.KEY))
                .as("%s of %s", IdempotencyHeaders.KEY, shown)
                .hasSize(through ? 0 : 1);
    }
}
