// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.Outcome;
import dev.semel.claim.StoredResult;
import dev.semel.http.IdempotencyHeaders.Status;
import dev.semel.payload.compare.Difference;
import dev.semel.payload.compare.Sketches;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Converts the engine's outcome to the reply for the client. */
record Replies(
        ApiRules rules,
        RequestFingerprint print,
        Sketches sketches,
        StoredAnswers answers,
        Consumer<Difference> conflicts) {
    ApiReply of(Outcome<SettledAnswer> outcome) {
        if (outcome instanceof Outcome.Succeeded<SettledAnswer> succeeded) {
            return settled(succeeded.value());
        }
        if (outcome instanceof Outcome.Tombstone<SettledAnswer> tombstone) {
            return new ApiReply.Answer(replayed(StoredAnswer.nothing(200, new Expiry(null), tombstone.why())));
        }
        if (outcome instanceof Outcome.Failed<SettledAnswer> failed) {
            return failed.cause() instanceof UnfinishedAttempt end
                    ? settled(end.settled())
                    : failedBefore(failed.stored());
        }
        if (outcome instanceof Outcome.Retryable<SettledAnswer> retryable) {
            return thrown(retryable.cause(), true);
        }
        if (outcome instanceof Outcome.Unsettled<SettledAnswer> unsettled) {
            SettledAnswer value = unsettled.value();
            return value != null ? fresh(value, false, false) : thrown(unsettled.failure(), false);
        }
        if (outcome instanceof Outcome.Unknown<SettledAnswer> unknown && unknown.cause() != null) {
            return thrown(unknown.cause(), true);
        }
        return own(outcome);
    }

    /** The reply to a request that did not run and has no stored answer. */
    private ApiReply own(Outcome<SettledAnswer> outcome) {
        if (outcome instanceof Outcome.InProgress<SettledAnswer> running) {
            return answer(rules.problems().inProgress(rules.profile(), running.retryAfter()), Status.IN_PROGRESS);
        }
        if (outcome instanceof Outcome.Mismatch<SettledAnswer> mismatch) {
            Difference difference = print.difference(sketches, mismatch.earlier());
            conflicts.accept(difference);
            ApiAnswer conflict = rules.problems().mismatch(rules.profile(), difference);
            String places = difference.headerValue();
            return answer(
                    places.isEmpty() ? conflict : conflict.with(IdempotencyHeaders.DIFFERS, places), Status.CONFLICT);
        }
        if (outcome instanceof Outcome.Unknown<SettledAnswer>) {
            return answer(rules.problems().unknown(), Status.CONFLICT);
        }
        return new ApiReply.Answer(rules.problems().unavailable().with(IdempotencyHeaders.KEY, print.shownKey()));
    }

    private ApiReply settled(SettledAnswer settled) {
        if (settled.fresh() != null) {
            return fresh(settled, true, true);
        }
        StoredResult stored = Objects.requireNonNull(settled.stored());
        return new ApiReply.Replay(stored.size(), () -> opened(stored));
    }

    private ApiReply failedBefore(@Nullable StoredResult stored) {
        return stored == null
                // Only an operator's decision has no answer.
                ? answer(rules.problems().decidedFailed(), Status.CONFLICT)
                : settled(SettledAnswer.before(stored));
    }

    private ApiAnswer opened(StoredResult stored) {
        return answers.read(print, stored)
                .map(this::replayed)
                .orElseGet(() ->
                        rules.problems().unreadable().with(IdempotencyHeaders.of(print.shownKey(), Status.CONFLICT)));
    }

    /** @param recorded whether the end of the attempt is stored */
    private ApiReply thrown(@Nullable Throwable failure, boolean recorded) {
        if (failure instanceof UnfinishedAttempt end) {
            return fresh(end.settled(), false, recorded);
        }
        return new ApiReply.Threw(failure == null ? new IllegalStateException("The attempt failed") : failure);
    }

    private ApiReply fresh(SettledAnswer settled, boolean stored, boolean recorded) {
        ApiResult result = settled.fresh();
        if (result == null || result instanceof ApiResult.Streamed) {
            return new ApiReply.Streamed();
        }
        ApiAnswer answer = result instanceof ApiResult.Complete complete
                ? complete.answer()
                : result instanceof ApiResult.NotSent notSent ? notSent.answer() : ((ApiResult.Lost) result).answer();
        List<HeaderLine> lines = IdempotencyHeaders.of(print.shownKey(), Status.MISS);
        if (stored) {
            settled.expiry().httpDate().ifPresent(date -> lines.add(new HeaderLine(IdempotencyHeaders.EXPIRES, date)));
        }
        if (!recorded) {
            lines.add(new HeaderLine(IdempotencyHeaders.RECORDED, "false"));
        }
        return new ApiReply.Answer(withoutOurs(answer).with(lines));
    }

    private ApiAnswer replayed(StoredAnswer stored) {
        List<HeaderLine> lines = new ArrayList<>(stored.headers());
        lines.addAll(IdempotencyHeaders.of(print.shownKey(), Status.HIT));
        lines.add(new HeaderLine(IdempotencyHeaders.REPLAYED, "true"));
        stored.expiry().httpDate().ifPresent(date -> lines.add(new HeaderLine(IdempotencyHeaders.EXPIRES, date)));
        if (stored.form() != StoredAnswer.Form.EXACT) {
            boolean sanitised = stored.form() == StoredAnswer.Form.SANITISED;
            lines.add(new HeaderLine(IdempotencyHeaders.REPLAY_FORM, sanitised ? "sanitised" : "none"));
        }
        if (!stored.note().isEmpty()) {
            lines.add(new HeaderLine(IdempotencyHeaders.REPLAY_NOTE, stored.note()));
        }
        return new ApiAnswer(stored.status(), lines, stored.body());
    }

    private ApiReply answer(ApiAnswer answer, Status status) {
        return new ApiReply.Answer(answer.with(IdempotencyHeaders.of(print.shownKey(), status)));
    }

    /** Removes headers that the upstream service has set but only Semel may set. */
    private static ApiAnswer withoutOurs(ApiAnswer answer) {
        return new ApiAnswer(
                answer.status(),
                answer.headers().stream()
                        .filter(line -> !IdempotencyHeaders.isOurs(line.name()))
                        .toList(),
                answer.body());
    }
}
