// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.Objects;

/** What came of an attempt. */
public sealed interface ApiResult {
    /** The whole answer is here. Whether it is final, its status decides. */
    record Complete(ApiAnswer answer) implements ApiResult {
        public Complete {
            Objects.requireNonNull(answer, "An answer must not be null");
        }
    }

    /**
     * The whole answer went to the client already: only its status is stored.
     *
     * @param why a note for repeats: why they get no body
     */
    record Streamed(int status, String why) implements ApiResult {
        /** An answer that is too large, or streams. */
        public Streamed(int status) {
            this(status, "the answer was too large or streamed");
        }
    }

    /** The request was not sent, so that nothing can have happened. The client gets this answer, and the key is released. */
    record NotSent(ApiAnswer answer) implements ApiResult {
        public NotSent {
            Objects.requireNonNull(answer, "An answer must not be null");
        }
    }

    /**
     * The request was sent, and no whole answer came: what happened is not known. The client gets this answer, if nothing
     * went to it yet. By the route's stale policy the next request with the key sends the same child key, or the key is
     * parked.
     */
    record Lost(ApiAnswer answer) implements ApiResult {
        public Lost {
            Objects.requireNonNull(answer, "An answer must not be null");
        }
    }
}
