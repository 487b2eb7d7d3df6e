// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import static dev.semel.acceptance.hostile.HostileCase.latin1;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Ways to break a valid JSON document. */
public final class BrokenJson {
    private BrokenJson() {}

    /** Each way by its name. A character up to 255 stands for the byte of that value. */
    public static Map<String, UnaryOperator<byte[]>> ways() {
        Map<String, UnaryOperator<byte[]>> ways = new LinkedHashMap<>();
        ways.put("nothing", valid -> new byte[0]);
        ways.put("blanks only", valid -> latin1(" \r\n\t "));
        ways.put("an unclosed object", valid -> latin1(text(valid).substring(0, valid.length - 1)));
        ways.put("half a document", valid -> latin1(text(valid).substring(0, valid.length / 2)));
        ways.put("a comma too many", valid -> latin1(text(valid).replaceFirst("}$", ",}")));
        ways.put("no comma", valid -> latin1("{\"x\":1 " + text(valid).substring(1)));
        ways.put("no colon", valid -> latin1(text(valid).replaceFirst(":", " ")));
        ways.put("single quotes", valid -> latin1(text(valid).replace('"', '\'')));
        ways.put("names without quotes", valid -> latin1(text(valid).replaceFirst("\"(\\w+)\":", "$1:")));
        ways.put("a comment", valid -> latin1("/* c */" + text(valid)));
        ways.put("a line comment", valid -> latin1("// c\n" + text(valid)));
        ways.put("a second document", valid -> latin1(text(valid) + "{}"));
        ways.put("garbage after the end", valid -> latin1(text(valid) + "x"));
        ways.put("a NUL after the end", valid -> latin1(text(valid) + "\0"));
        ways.put("a closing brace too many", valid -> latin1(text(valid) + "}"));
        ways.put("a byte order mark", valid -> latin1("\u00ef\u00bb\u00bf" + text(valid)));
        ways.put("UTF-16, little end first", valid -> text(valid).getBytes(StandardCharsets.UTF_16LE));
        ways.put("UTF-16, big end first", valid -> text(valid).getBytes(StandardCharsets.UTF_16BE));
        ways.put("a form feed between", valid -> latin1("{\f" + text(valid).substring(1)));
        ways.put(
                "a no-break space between",
                valid -> latin1("{\u00c2\u00a0" + text(valid).substring(1)));
        ways.put(
                "a name twice",
                valid -> latin1("{\"x\":1,\"x\":1," + text(valid).substring(1)));
        ways.put(
                "a name twice, once escaped",
                valid -> latin1("{\"x\":1,\"\\u0078\":1," + text(valid).substring(1)));
        Map<String, String> values = new LinkedHashMap<>();
        values.put("a leading zero", "01");
        values.put("a plus sign", "+1");
        values.put("no digit before the point", ".5");
        values.put("no digit after the point", "1.");
        values.put("no digit in the exponent", "1e");
        values.put("a lone minus", "-");
        values.put("hexadecimal digits", "0x1");
        values.put("NaN", "NaN");
        values.put("Infinity", "-Infinity");
        values.put("a number of 3,000 digits", "9".repeat(3_000));
        values.put("an exponent of 99,999", "1e99999");
        values.put("a word in capitals", "True");
        values.put("half a word", "nul");
        values.put("undefined", "undefined");
        values.put("an unknown escape", "\"\\x41\"");
        values.put("a short unicode escape", "\"\\u12\"");
        values.put("an escaped lone high surrogate", "\"\\ud800\"");
        values.put("an escaped lone low surrogate", "\"\\udc00\"");
        values.put("surrogates in the wrong order", "\"\\udc00\\ud800\"");
        values.put("a control character in a string", "\"\u0001\"");
        values.put("a NUL in a string", "\"\u0000\"");
        values.put("a line break in a string", "\"\n\"");
        values.put("a byte of Latin 1", "\"\u00e9\"");
        values.put("an overlong encoding", "\"\u00c0\u00af\"");
        values.put("an overlong NUL", "\"\u00c0\u0080\"");
        values.put("an encoded surrogate", "\"\u00ed\u00a0\u0080\"");
        values.put("a code point beyond Unicode", "\"\u00f4\u0090\u0080\u0080\"");
        values.put("a truncated character", "\"\u00e2\u0082\"");
        values.put("a byte that UTF-8 never has", "\"\u00ff\"");
        values.put("a lone continuation byte", "\"\u0080\"");
        values.put("2,000 nested arrays", "[".repeat(2_000) + "]".repeat(2_000));
        values.put("2,000 nested objects", "{\"a\":".repeat(2_000) + "1" + "}".repeat(2_000));
        values.put("100,000 opening brackets", "[".repeat(100_000));
        values.forEach((name, value) -> ways.put(
                name, valid -> latin1("{\"x\":" + value + "," + text(valid).substring(1))));
        return ways;
    }

    static List<HostileCase> cases() {
        List<HostileCase> cases = new ArrayList<>();
        for (Endpoint endpoint : Endpoint.all()) {
            ways().forEach((name, way) -> cases.add(HostileCase.content(
                    "%s: JSON with %s".formatted(endpoint, name),
                    endpoint.post().json(way.apply(endpoint.valid().getBytes(StandardCharsets.UTF_8))),
                    400)));
        }
        return cases;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
