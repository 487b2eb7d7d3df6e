// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import java.util.Objects;

/** The part of a result that is available to a replay. */
public sealed interface Kept {
    /** The exact body. */
    record Exact(Body body) implements Kept {
        public Exact {
            Objects.requireNonNull(body, "A body must not be null");
        }
    }

    /** The body without sensitive content, in UTF-8. A replay indicates whether something is missing. */
    record Sanitised(Body body, Extent extent) implements Kept {
        public Sanitised {
            Objects.requireNonNull(body, "A body must not be null");
            Objects.requireNonNull(extent, "The extent must not be null");
        }
    }

    /** How much of a result its sanitised form contains. */
    enum Extent {
        /** Everything: the result had no sensitive content. */
        WHOLE,
        /** A part: something was omitted, redacted or masked. */
        PARTIAL,
        /** Unknown: an earlier version stored the result without this information. */
        UNKNOWN
    }

    /** No body is stored, with the reason. */
    record Nothing(String why) implements Kept {
        public Nothing {
            Objects.requireNonNull(why, "The reason must not be null");
        }
    }
}
