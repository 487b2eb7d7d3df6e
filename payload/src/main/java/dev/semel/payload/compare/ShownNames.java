// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.redact.PhoneMask;
import dev.semel.payload.redact.SensitiveNames;

/** Member names for display, with masked phone numbers. Tracks the current position in the document. */
final class ShownNames {
    private static final SensitiveNames NAMES = SensitiveNames.DEFAULT;

    /** The number of enclosing members that hold or may hold phone numbers. */
    private int phones;

    /** Enters a member and returns its name for display. */
    String enter(String name) {
        // Inside a member for phone numbers, a name that looks like a phone number is one.
        String shown = phones > 0 ? PhoneMask.ifPhone(name) : PhoneMask.inText(name);
        phones += holdsPhones(name) ? 1 : 0;
        return shown;
    }

    /** Leaves the member that was entered last. */
    void leave(String name) {
        phones -= holdsPhones(name) ? 1 : 0;
    }

    private static boolean holdsPhones(String name) {
        return NAMES.isPhone(name) || NAMES.mayBePhone(name);
    }
}
