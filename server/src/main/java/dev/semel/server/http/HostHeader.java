// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * The value of a Host header, read strictly: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a colon
 * and a port. What two readers could understand in two ways, such as {@code 127.0.0.1:80@example.com}, is no host.
 *
 * @param name without the port; an IPv6 address keeps its brackets
 */
record HostHeader(String name) {
    private static final int LONGEST_NAME = 255;
    private static final int LARGEST_PORT = 65_535;

    /** The host that this header names; empty if it names none. */
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

    /** Whether a port stands there, after a colon, or nothing at all. */
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
     * Refuses what is no host.
     *
     * @throws ProblemException if it is none
     */
    static HostHeader required(String value) {
        return of(value)
                .orElseThrow(() -> ProblemDetail.field(
                                "Host",
                                "The header Host must be a name, an IPv4 address or an IPv6 address in brackets, and perhaps a"
                                        + " colon and a port")
                        .asException());
    }

    /** In brackets it is an address or nothing: no name server is asked. A zone is of no use to others. */
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
