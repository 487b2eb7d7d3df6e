// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/**
 * The canonical form of RFC 8785, with exact numbers. Members are sorted by the UTF-16 code units of their names, strings have
 * the fewest escapes, there is no white space, and Unicode is never normalized.
 *
 * <p>RFC 8785 loses information in numbers: it reads every number as a double, so that 9007199254740993 becomes
 * 9007199254740992 and two different requests look equal. Here a number has its exact decimal value, written in the
 * layout of ECMAScript (RFC 8785, section 3.2.2.3) with <em>all</em> its significant digits:
 *
 * <ol>
 *   <li>A whole number below 10^21 is written in digits: {@code 1e3} is {@code 1000}, {@code -0} is {@code 0}.
 *   <li>Other numbers from 10^-6 up to 10^21 are written with a point: {@code 0.000001}, {@code 1.50} is {@code 1.5}.
 *   <li>All other numbers are written as {@code d.ddde+x} or {@code d.ddde-x}: {@code 1e21} is {@code 1e+21}.
 * </ol>
 *
 * <p>Two numbers have the same text if and only if they are equal. The text equals that of RFC 8785 for every number that
 * ECMAScript itself would write: all whole numbers up to 2^53, and every decimal that is the shortest form of its double.
 * It differs where RFC 8785 would round: 0.10000000000000000001 is kept and does not become 0.1. Numbers that do not fit
 * into a double are exact as well, up to the limits in {@link JsonNumber}. Beyond these limits a number is an error.
 */
public final class CanonicalJson {
    private CanonicalJson() {}

    /** The canonical form of a document. */
    public static byte[] of(Json json) {
        return JsonWriter.canonical().write(json);
    }

    /** Parses a document and returns its canonical form. */
    public static byte[] of(byte[] utf8) {
        return of(Json.parse(utf8));
    }
}
