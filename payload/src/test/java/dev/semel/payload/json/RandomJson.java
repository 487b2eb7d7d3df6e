// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random documents over small alphabets, so that two documents often differ only slightly. */
public final class RandomJson {
    private static final String[] CHARACTERS = {
        "a",
        "B",
        "z",
        "_",
        "+",
        "1",
        "23",
        "456",
        "7890",
        " ",
        "-",
        "\"",
        "\\",
        "/",
        "~",
        "\n",
        "\u0001",
        "\u007f",
        "\u00e9",
        "e\u0301",
        "\u20ac",
        "\ufb33",
        "\ud83d\ude00",
        "\u2028"
    };

    private RandomJson() {}

    public static Json document(Random random) {
        return value(random, 4);
    }

    private static Json value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> JsonNull.NULL;
            case 1 -> new JsonBoolean(random.nextBoolean());
            case 2 -> new JsonNumber(numberText(random));
            case 3, 4 -> new JsonString(text(random));
            case 5 -> array(random, depth - 1);
            default -> object(random, depth - 1);
        };
    }

    private static Json array(Random random, int depth) {
        List<Json> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            elements.add(value(random, depth));
        }
        return new JsonArray(elements);
    }

    private static Json object(Random random, int depth) {
        Map<String, Json> members = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            members.put(name(random), value(random, depth));
        }
        return new JsonObject(members);
    }

    private static String name(Random random) {
        String[] usual = {"password", "phone", "created_at", "amount", "apiKey", "id"};
        return random.nextInt(3) == 0 ? usual[random.nextInt(usual.length)] : text(random);
    }

    public static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
        }
        return text.toString();
    }

    /** Any notation: leading and trailing zeros of fractions, both signs, all forms of exponents. */
    public static String numberText(Random random) {
        String sign = random.nextBoolean() ? "-" : "";
        String whole = Integer.toString(random.nextInt(random.nextBoolean() ? 3 : 30_000));
        String fraction = random.nextBoolean() ? "." + digits(random) : "";
        String exponent = random.nextBoolean()
                ? (random.nextBoolean() ? "e" : "E")
                        + new String[] {"", "+", "-"}[random.nextInt(3)]
                        + random.nextInt(30)
                : "";
        return sign + whole + fraction + exponent;
    }

    private static String digits(Random random) {
        StringBuilder digits = new StringBuilder();
        do {
            digits.append("0012".charAt(random.nextInt(4)));
        } while (random.nextInt(4) > 0);
        return digits.toString();
    }
}
