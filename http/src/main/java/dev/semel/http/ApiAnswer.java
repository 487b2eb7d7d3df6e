// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A complete HTTP answer.
 *
 * @param body not copied: do not modify it afterwards
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ApiAnswer(int status, List<HeaderLine> headers, byte[] body) {
    private static final byte[] NOTHING = {};

    public ApiAnswer {
        if (status < 200 || status > 999) {
            throw new IllegalArgumentException("An answer's status must be 200 to 999, but is " + status);
        }
        headers = List.copyOf(headers);
        Objects.requireNonNull(body, "A body must not be null: use an empty array for an empty body");
    }

    /** An answer without a body. */
    public static ApiAnswer empty(int status) {
        return new ApiAnswer(status, List.of(), NOTHING);
    }

    /** This answer with additional header lines at the end. */
    public ApiAnswer with(List<HeaderLine> more) {
        List<HeaderLine> all = new ArrayList<>(headers);
        all.addAll(more);
        return new ApiAnswer(status, all, body);
    }

    /** This answer with an additional header line. */
    public ApiAnswer with(String name, String value) {
        return with(List.of(new HeaderLine(name, value)));
    }

    /** The value of the first header of this name. */
    public Optional<String> header(String name) {
        return HeaderLine.values(headers, name).findFirst();
    }

    /** Shows status and size only, because the content may be confidential. */
    @Override
    public String toString() {
        return "ApiAnswer[%d, %d bytes]".formatted(status, body.length);
    }
}
