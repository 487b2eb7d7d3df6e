// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.ApiAnswer;
import dev.semel.http.HeaderLine;
import dev.semel.http.IdempotencyHeaders;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Writes answers to the container's response. */
final class ResponseWriter {
    private ResponseWriter() {}

    /** Writes a complete answer. Its headers replace those that other filters have set. */
    static void write(HttpServletResponse response, ApiAnswer answer) throws IOException {
        response.setStatus(answer.status());
        Set<String> seen = new HashSet<>();
        for (HeaderLine line : answer.headers()) {
            if (seen.add(line.name().toLowerCase(Locale.ROOT))) {
                response.setHeader(line.name(), line.value());
            } else {
                response.addHeader(line.name(), line.value());
            }
        }
        writeBody(response, answer);
    }

    /** Writes the servlet's answer, whose status and headers are already set on the response. */
    static void finish(HttpServletResponse response, ApiAnswer answer) throws IOException {
        setOurs(response, answer);
        writeBody(response, answer);
    }

    static void setOurs(HttpServletResponse response, ApiAnswer answer) {
        for (HeaderLine line : answer.headers()) {
            if (IdempotencyHeaders.isOurs(line.name())) {
                response.setHeader(line.name(), line.value());
            }
        }
    }

    private static void writeBody(HttpServletResponse response, ApiAnswer answer) throws IOException {
        if (answer.status() == HttpServletResponse.SC_NO_CONTENT
                || answer.status() == HttpServletResponse.SC_NOT_MODIFIED) {
            return;
        }
        if (response.getTrailerFields() == null) {
            response.setContentLength(answer.body().length);
        }
        if (answer.body().length > 0) {
            response.getOutputStream().write(answer.body());
        }
    }
}
