// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.http.HeaderLine;
import java.util.List;
import java.util.Optional;

/**
 * What the application does in one run: it writes {@code flushed} and flushes, waits at the gate, and ends.
 *
 * @param headers Content-Type included
 * @param flushed what is written, with status and headers, before the gate
 * @param body what is written after it
 * @param gate where it waits
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Script(
        int status, List<HeaderLine> headers, Optional<byte[]> flushed, byte[] body, Optional<String> gate, End end) {
    /** How it ends. */
    public enum End {
        /** It answers with status, headers and body. */
        ANSWER,
        /** As a servlet's {@code sendError}; without that, an answer with the status and any body. */
        SEND_ERROR,
        /** It throws; without a framework that answers for it, 500. */
        THROW
    }

    static Script answer(int status, String body) {
        return new Script(
                status, List.of(), Optional.empty(), CaseApplication.utf8(body), Optional.empty(), End.ANSWER);
    }
}
