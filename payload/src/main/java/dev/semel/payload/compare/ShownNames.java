// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.redact.PhoneMask;
import dev.semel.payload.redact.SensitiveNames;

/** Member names as they may be shown: telephone numbers in them are masked. Knows where in a document it is. */
final class ShownNames {
    private static final SensitiveNames NAMES = SensitiveNames.DEFAULT;

    /** How many of the members around this place hold telephone numbers, or may hold them. */
    private int phones;

    /** Enters a member, and says how its name is shown. */
    String enter(String name) {
        // Inside a member of telephone numbers, a name that looks like one is one.
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
