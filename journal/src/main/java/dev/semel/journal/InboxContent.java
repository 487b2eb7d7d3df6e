// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.payload.Body;
import dev.semel.payload.seal.SealException;
import java.util.Map;
import java.util.Objects;

/** What was sealed of an event. */
public sealed interface InboxContent {
    /** It could be opened. */
    record Opened(Body body, Map<String, String> headers) implements InboxContent {
        public Opened {
            Objects.requireNonNull(body, "A body must not be null");
            headers = Map.copyOf(headers);
        }

        /** Leaves the headers out. */
        @Override
        public String toString() {
            return "Opened[" + body + "]";
        }
    }

    /** It could not: its secret is not alive any more, or it was changed. The other events of its page are not affected. */
    record Unopened(SealException.Reason why) implements InboxContent {}
}
