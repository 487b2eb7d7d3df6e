// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.payload.Body;
import dev.semel.payload.seal.SealException;
import java.util.Map;
import java.util.Objects;

/** The encrypted part of an event. */
public sealed interface InboxContent {
    /** The content was decrypted. */
    record Opened(Body body, Map<String, String> headers) implements InboxContent {
        public Opened {
            Objects.requireNonNull(body, "body must not be null");
            headers = Map.copyOf(headers);
        }

        /** Does not contain the headers. */
        @Override
        public String toString() {
            return "Opened[" + body + "]";
        }
    }

    /**
     * The content could not be decrypted, because its secret is not active any more or the row was changed. Other events of the
     * page are not affected.
     */
    record Unopened(SealException.Reason why) implements InboxContent {}
}
