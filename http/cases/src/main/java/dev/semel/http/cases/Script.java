// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.http.HeaderLine;
import java.util.List;
import java.util.Optional;

/**
 * The behaviour of the application in one run: it writes {@code flushed} and flushes, waits at the gate, and ends.
 *
 * @param headers including Content-Type
 * @param flushed the output before the gate, together with status and headers
 * @param body the output after the gate
 * @param gate the name of the gate
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Script(
        int status, List<HeaderLine> headers, Optional<byte[]> flushed, byte[] body, Optional<String> gate, End end) {
    /** How a run ends. */
    public enum End {
        /** The application answers with status, headers and body. */
        ANSWER,
        /** The application reports an error, as with a servlet's {@code sendError}. The body is the framework's. */
        SEND_ERROR,
        /** The application throws an exception. Without a framework, it answers with 500. */
        THROW
    }

    static Script answer(int status, String body) {
        return new Script(
                status, List.of(), Optional.empty(), CaseApplication.utf8(body), Optional.empty(), End.ANSWER);
    }
}
