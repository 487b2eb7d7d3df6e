// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * An invalid request.
 *
 * @param name what is wrong with it
 * @param bytes the whole request
 * @param kind which answers are allowed
 * @param statuses the allowed statuses
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
public record HostileCase(String name, byte[] bytes, Kind kind, Set<Integer> statuses) {

    /** Which part of the request is invalid. */
    public enum Kind {
        /** HTTP is well-formed, so the answer must be a problem in JSON. */
        CONTENT,
        /** The HTTP framing is broken: an error in any form, or the end of the connection. */
        FRAMING,
        /** The request never ends, and the client stays silent. The server must close the connection. */
        SLOW,
        /** The request never ends, because the client closes the connection. */
        TORN
    }

    private static final Set<Integer> ANY =
            Set.of(400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 417, 421, 426, 431);

    static HostileCase content(String name, byte[] bytes, Integer... statuses) {
        return new HostileCase(name, bytes, Kind.CONTENT, Set.of(statuses));
    }

    static HostileCase framing(String name, String text) {
        return new HostileCase(name, latin1(text), Kind.FRAMING, ANY);
    }

    /** Another protocol or an unknown version of HTTP. The answer may also be a 501 or a 505. */
    static HostileCase protocol(String name, String text) {
        return new HostileCase(name, latin1(text), Kind.FRAMING, Set.of(400, 426, 501, 505));
    }

    static HostileCase slow(String name, String text) {
        return new HostileCase(name, latin1(text), Kind.SLOW, ANY);
    }

    static HostileCase torn(String name, String text) {
        return new HostileCase(name, latin1(text), Kind.TORN, ANY);
    }

    /** One byte per character, so that tables can contain any byte. */
    static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return name;
    }
}
