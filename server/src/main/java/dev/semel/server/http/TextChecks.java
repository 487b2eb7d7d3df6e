// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

/** What characters a text is made of. */
final class TextChecks {
    private TextChecks() {}

    static boolean hasControls(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a header takes it as it is. */
    static boolean isVisibleAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                return false;
            }
        }
        return true;
    }
}
