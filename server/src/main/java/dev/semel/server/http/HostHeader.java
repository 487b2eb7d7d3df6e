// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * A strictly parsed Host header: a host name, an IPv4 address or a bracketed IPv6 address, with an optional port.
 * Ambiguous values, such as {@code 127.0.0.1:80@example.com}, are invalid.
 *
 * @param name without the port; an IPv6 address keeps its brackets
 */
record HostHeader(String name) {
    private static final int LONGEST_NAME = 255;
    private static final int LARGEST_PORT = 65_535;

    /** Parses the header value. Returns empty if it is not a valid host. */
    static Optional<HostHeader> of(String value) {
        boolean bracketed = value.startsWith("[");
        int end = bracketed ? value.indexOf(']') + 1 : endOfName(value);
        if (end == 0 || value.length() > LONGEST_NAME || !isPort(value, end)) {
            return Optional.empty();
        }
        String name = end == value.length() ? value : value.substring(0, end);
        return bracketed && !isAddress(name) ? Optional.empty() : Optional.of(new HostHeader(name));
    }

    private static int endOfName(String value) {
        int end = 0;
        while (end < value.length() && isOfName(value.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isOfName(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '.' || c == '-' || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Returns whether the rest of the value is empty or a colon with a valid port. */
    private static boolean isPort(String value, int colon) {
        int digits = value.length() - colon - 1;
        if (digits < 0) {
            return true;
        }
        if (value.charAt(colon) != ':' || digits == 0 || digits > 5) {
            return false;
        }
        int port = 0;
        for (int i = colon + 1; i < value.length(); i++) {
            if (!isDigit(value.charAt(i))) {
                return false;
            }
            port = 10 * port + value.charAt(i) - '0';
        }
        return port <= LARGEST_PORT;
    }

    /**
     * Parses the header value of a request.
     *
     * @throws ProblemException if it is not a valid host
     */
    static HostHeader required(String value) {
        return of(value)
                .orElseThrow(() -> ProblemDetail.field(
                                "Host",
                                "The Host header must be a host name, an IPv4 address or an IPv6"
                                        + " address in brackets, with an optional port")
                        .asException());
    }

    /**
     * Returns whether the brackets contain an IPv6 address. Brackets prevent a DNS lookup. Zone ids are rejected,
     * because they are only valid on the client's own machine.
     */
    private static boolean isAddress(String bracketed) {
        if (bracketed.indexOf('%') >= 0) {
            return false;
        }
        try {
            InetAddress.getByName(bracketed);
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
