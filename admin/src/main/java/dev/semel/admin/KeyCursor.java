// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.Digest;
import dev.semel.spi.ClaimBrowser.Cursor;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a cursor: microseconds since 1970 and a digest. */
final class KeyCursor {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})-([0-9a-f]{64})");

    private KeyCursor() {}

    static String text(Cursor cursor) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, cursor.createdAt()) + "-"
                + cursor.digest().hex();
    }

    static Cursor parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw AdminException.field("after", "The parameter after must be a cursor returned by an earlier page");
        }
        return new Cursor(
                Instant.EPOCH.plus(Long.parseLong(parts.group(1)), ChronoUnit.MICROS), Digest.ofHex(parts.group(2)));
    }
}
