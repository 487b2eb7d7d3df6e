// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Short descriptions of failures. They never contain the message, which may quote an address, a key or a value. */
final class FailureReasons {
    private static final int DEPTH = 10;

    private FailureReasons() {}

    static String of(Throwable failure) {
        String last = failure.getClass().getSimpleName();
        boolean connecting = false;
        Throwable one = failure;
        for (int i = 0; i < DEPTH && one != null; i++) {
            if (one instanceof RedisCommandExecutionException) {
                return "Redis answers " + code(one);
            }
            if (one instanceof RedisCommandTimeoutException || one instanceof TimeoutException) {
                return "no answer in time";
            }
            connecting |= one instanceof RedisConnectionException;
            last = one.getClass().getSimpleName();
            one = one.getCause();
        }
        return connecting ? "no connection (" + last + ")" : "failed (" + last + ")";
    }

    /** Whether another application has stored a value under our key. Redis itself works. */
    static boolean isForeignValue(Throwable failure) {
        Throwable one = failure;
        for (int i = 0; i < DEPTH && one != null; i++) {
            if (one instanceof RedisCommandExecutionException) {
                return code(one).equals("WRONGTYPE");
            }
            one = one.getCause();
        }
        return false;
    }

    /** The error code, which is the first word of Redis' error message. */
    private static String code(Throwable error) {
        @Nullable String message = error.getMessage();
        String first = message == null ? "" : message.split(" ", 2)[0];
        return first.matches("[A-Z]{1,20}") ? first : "an error";
    }
}
