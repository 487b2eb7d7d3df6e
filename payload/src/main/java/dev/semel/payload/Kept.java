// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import java.util.Objects;

/** What a replay has to go by. */
public sealed interface Kept {
    /** The body exactly as it was. */
    record Exact(Body body) implements Kept {
        public Exact {
            Objects.requireNonNull(body, "A body must not be null");
        }
    }

    /** The body without what is sensitive, in UTF-8; a replay says so if something is missing. */
    record Sanitised(Body body, Extent extent) implements Kept {
        public Sanitised {
            Objects.requireNonNull(body, "A body must not be null");
            Objects.requireNonNull(extent, "The extent must not be null");
        }
    }

    /** How much of a result its sanitised form has. */
    enum Extent {
        /** All of it: nothing in it was sensitive. */
        WHOLE,
        /** A part: something was left out, redacted or masked. */
        PARTIAL,
        /** The stored result does not say. Earlier versions stored no mark. */
        UNKNOWN
    }

    /** No body, and why. */
    record Nothing(String why) implements Kept {
        public Nothing {
            Objects.requireNonNull(why, "The reason must not be null");
        }
    }
}
