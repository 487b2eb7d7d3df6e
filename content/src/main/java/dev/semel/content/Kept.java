// SPDX-License-Identifier: Apache-2.0
package dev.semel.content;

import java.util.Objects;

/** What a replay has to go by. */
public sealed interface Kept {
    /** The body exactly as it was. */
    record Exact(Body body) implements Kept {
        public Exact {
            Objects.requireNonNull(body, "A body must not be null");
        }
    }

    /** The body without what is sensitive, in UTF-8; a replay says so. */
    record Sanitised(Body body) implements Kept {
        public Sanitised {
            Objects.requireNonNull(body, "A body must not be null");
        }
    }

    /** No body, and why. */
    record Nothing(String why) implements Kept {
        public Nothing {
            Objects.requireNonNull(why, "The reason must not be null");
        }
    }
}
