// SPDX-License-Identifier: Apache-2.0
package dev.semel.content;

import java.util.Objects;

/** What a replay has to go by. */
public sealed interface Kept {
    /**
     * A body, exactly as it was.
     *
     * @param mediaType as it was given
     */
    record Exact(String mediaType, byte[] body) implements Kept {
        public Exact {
            Objects.requireNonNull(mediaType, "A media type must not be null");
            body = body.clone();
        }

        @Override
        public byte[] body() {
            return body.clone();
        }

        @Override
        public String toString() {
            return "Exact[" + body.length + " bytes]";
        }
    }

    /**
     * A body without what is sensitive; a replay says so.
     *
     * @param mediaType without parameters: the body is UTF-8
     */
    record Sanitised(String mediaType, byte[] body) implements Kept {
        public Sanitised {
            Objects.requireNonNull(mediaType, "A media type must not be null");
            body = body.clone();
        }

        @Override
        public byte[] body() {
            return body.clone();
        }

        @Override
        public String toString() {
            return "Sanitised[" + body.length + " bytes]";
        }
    }

    /** No body, and why. */
    record Nothing(String why) implements Kept {
        public Nothing {
            Objects.requireNonNull(why, "The reason must not be null");
        }
    }
}
