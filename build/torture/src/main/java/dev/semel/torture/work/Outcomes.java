// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Outcome;
import dev.semel.claim.StoredResult;
import dev.semel.torture.history.Answer;
import java.nio.charset.StandardCharsets;

/** Turns outcomes into what the history says of them. */
final class Outcomes {
    private static final String GIVEN_UP = "given up after ";

    private Outcomes() {}

    /** An answer with its content. */
    record Content(Answer answer, int bytes, String hash) {
        static Content of(Answer answer) {
            return new Content(answer, 0, "");
        }
    }

    static Content of(Outcome<byte[]> outcome) {
        if (outcome instanceof Outcome.Succeeded<byte[]> succeeded) {
            byte[] value = succeeded.value();
            return new Content(Answer.SUCCEEDED, value.length, dev.semel.torture.work.Content.hash(value));
        }
        if (outcome instanceof Outcome.Failed<byte[]> failed) {
            return failed(failed.reason());
        }
        return Content.of(answer(outcome));
    }

    private static Content failed(String reason) {
        if (reason.startsWith(GIVEN_UP)) {
            String number = reason.substring(GIVEN_UP.length()).split(" ", 2)[0];
            return new Content(Answer.GIVEN_UP, Integer.parseInt(number), "");
        }
        return Content.of(Answer.FAILED);
    }

    static Content of(StoredResult result) {
        if (result.isTombstone()) {
            return Content.of(Answer.TOMBSTONE);
        }
        byte[] bytes = result.bytes();
        return new Content(Answer.SUCCEEDED, bytes.length, dev.semel.torture.work.Content.hash(bytes));
    }

    static Content ofFailed(StoredResult result) {
        return failed(new String(result.bytes(), StandardCharsets.UTF_8));
    }

    private static Answer answer(Outcome<byte[]> outcome) {
        if (outcome instanceof Outcome.Rejected) {
            return Answer.REJECTED;
        }
        if (outcome instanceof Outcome.Tombstone) {
            return Answer.TOMBSTONE;
        }
        if (outcome instanceof Outcome.Retryable) {
            return Answer.RETRYABLE;
        }
        if (outcome instanceof Outcome.InProgress) {
            return Answer.IN_PROGRESS;
        }
        if (outcome instanceof Outcome.Mismatch) {
            return Answer.MISMATCH;
        }
        if (outcome instanceof Outcome.Unknown) {
            return Answer.UNKNOWN;
        }
        if (outcome instanceof Outcome.Unsettled<byte[]> unsettled) {
            return unsettled.lost() ? Answer.LOST : Answer.UNSETTLED;
        }
        return Answer.UNAVAILABLE;
    }

    /** Whether asking again brings nothing new. */
    static boolean isSettled(Answer answer) {
        return answer.isPermanent() || answer == Answer.UNKNOWN;
    }
}
