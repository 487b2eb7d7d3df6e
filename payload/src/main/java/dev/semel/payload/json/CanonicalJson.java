// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/**
 * The canonical form of RFC 8785, made exact. Members are sorted by the UTF-16 code units of their names, strings have
 * the fewest escapes, there is no white space, and Unicode is never normalised.
 *
 * <p>Numbers are where RFC 8785 loses information: it reads every number as a double, so that 9007199254740993 becomes
 * 9007199254740992 and two different requests count as one. Here a number is its exact decimal value, written in the
 * layout of ECMAScript (RFC 8785, section 3.2.2.3) with <em>all</em> its significant digits:
 *
 * <ol>
 *   <li>A whole number below 10^21 is written by its digits: {@code 1e3} is {@code 1000}, {@code -0} is {@code 0}.
 *   <li>Another number from 10^-6 up to 10^21 is written with a point: {@code 0.000001}, {@code 1.50} is {@code 1.5}.
 *   <li>Any other is written as {@code d.ddde+x} or {@code d.ddde-x}: {@code 1e21} is {@code 1e+21}.
 * </ol>
 *
 * <p>Two numbers have the same text exactly if they are equal. The text is the one of RFC 8785 for every number that
 * ECMAScript would itself write, so for all whole numbers up to 2^53 and for every decimal that is the shortest name of
 * its double. It differs where RFC 8785 would round: 0.10000000000000000001 stays as it is, and does not become 0.1.
 * Numbers that no double can hold are exact too, up to the bounds in {@link JsonNumber}, and beyond them an error.
 */
public final class CanonicalJson {
    private CanonicalJson() {}

    /** The canonical form of a document. */
    public static byte[] of(Json json) {
        return JsonWriter.canonical().write(json);
    }

    /** The canonical form of a document that has yet to be read. */
    public static byte[] of(byte[] utf8) {
        return of(Json.parse(utf8));
    }
}
