// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The headers that an answer of an idempotent route carries. */
public final class IdempotencyHeaders {
    /** The key that was used. */
    public static final String KEY = "X-Idempotency-Key";

    /** MISS, HIT, IN_PROGRESS or CONFLICT. */
    public static final String STATUS = "X-Idempotency-Status";

    /** {@code true} on every answer that was stored before. */
    public static final String REPLAYED = "Idempotent-Replayed";

    /** When the stored answer expires. */
    public static final String EXPIRES = "Idempotency-Expires";

    /** Where a request differs from the first one with its key: JSON pointers into the body, {@code path} or {@code query}. */
    public static final String DIFFERS = "Idempotency-Differs";

    /** {@code sanitised} or {@code none}: the replay is not the first answer byte for byte. */
    public static final String REPLAY_FORM = "Idempotency-Replay-Form";

    /** Why a replay has no body. */
    public static final String REPLAY_NOTE = "Idempotency-Replay-Note";

    /** {@code false} if the answer could not be stored, so that a retry may run again. */
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

    /** Whether only the door may set this header. */
    public static boolean isOurs(String name) {
        return OURS.contains(name.toLowerCase(Locale.ROOT));
    }

    static List<HeaderLine> of(String key, Status status) {
        List<HeaderLine> lines = new ArrayList<>();
        lines.add(new HeaderLine(KEY, key));
        lines.add(new HeaderLine(STATUS, status.name()));
        return lines;
    }

    /** What {@link #STATUS} says. */
    enum Status {
        MISS,
        HIT,
        IN_PROGRESS,
        CONFLICT
    }
}
