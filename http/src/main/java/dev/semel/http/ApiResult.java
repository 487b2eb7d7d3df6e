// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.Objects;

/** The result of an attempt. */
public sealed interface ApiResult {
    /** A complete answer. Its status decides whether it is final. */
    record Complete(ApiAnswer answer) implements ApiResult {
        public Complete {
            Objects.requireNonNull(answer, "An answer must not be null");
        }
    }

    /**
     * The answer was streamed to the client: only its status is stored.
     *
     * @param why the note for duplicates that explains the missing body
     */
    record Streamed(int status, String why) implements ApiResult {
        /** An answer that is too large or was streamed. */
        public Streamed(int status) {
            this(status, "the answer was too large or streamed");
        }
    }

    /** The request was not sent, so it had no effect. The client receives this answer, and the key is released. */
    record NotSent(ApiAnswer answer) implements ApiResult {
        public NotSent {
            Objects.requireNonNull(answer, "An answer must not be null");
        }
    }

    /**
     * The request was sent, but no complete answer arrived, so its outcome is unknown. The client receives this answer unless
     * a part of another was already sent. Depending on the route's stale policy, the next request with the key is sent with
     * the same child key, or the key is parked.
     */
    record Lost(ApiAnswer answer) implements ApiResult {
        public Lost {
            Objects.requireNonNull(answer, "An answer must not be null");
        }
    }
}
