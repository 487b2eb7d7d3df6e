// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The response headers of an idempotent route. */
public final class IdempotencyHeaders {
    /** The key of the request. */
    public static final String KEY = "X-Idempotency-Key";

    /** MISS, HIT, IN_PROGRESS or CONFLICT. */
    public static final String STATUS = "X-Idempotency-Status";

    /** {@code true} for every replayed answer. */
    public static final String REPLAYED = "Idempotent-Replayed";

    /** When the stored answer expires. */
    public static final String EXPIRES = "Idempotency-Expires";

    /** Where a request differs from the first one with its key: JSON pointers for the body, {@code path} or {@code query}. */
    public static final String DIFFERS = "Idempotency-Differs";

    /** {@code sanitised} or {@code none} if the replay is not identical to the first answer. */
    public static final String REPLAY_FORM = "Idempotency-Replay-Form";

    /** The reason why a replay has no body. */
    public static final String REPLAY_NOTE = "Idempotency-Replay-Note";

    /** {@code false} if the answer could not be stored, so a retry may run again. */
    public static final String RECORDED = "Idempotency-Recorded";

    private static final Set<String> OURS = Set.of(
            KEY.toLowerCase(Locale.ROOT),
            STATUS.toLowerCase(Locale.ROOT),
            REPLAYED.toLowerCase(Locale.ROOT),
            EXPIRES.toLowerCase(Locale.ROOT),
            DIFFERS.toLowerCase(Locale.ROOT),
            REPLAY_FORM.toLowerCase(Locale.ROOT),
            REPLAY_NOTE.toLowerCase(Locale.ROOT),
            RECORDED.toLowerCase(Locale.ROOT));

    private IdempotencyHeaders() {}

    /** Whether this header is reserved for Semel. */
    public static boolean isOurs(String name) {
        return OURS.contains(name.toLowerCase(Locale.ROOT));
    }

    static List<HeaderLine> of(String key, Status status) {
        List<HeaderLine> lines = new ArrayList<>();
        lines.add(new HeaderLine(KEY, key));
        lines.add(new HeaderLine(STATUS, status.name()));
        return lines;
    }

    /** The values of {@link #STATUS}. */
    enum Status {
        MISS,
        HIT,
        IN_PROGRESS,
        CONFLICT
    }
}
