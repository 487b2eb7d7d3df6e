// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.Awaited;
import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.ClaimRequest;
import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.simulation.history.HistoryEvent.Answer;
import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Callers of all kinds. Each asks one process about one subject and is told something later. */
final class Callers {
    private static final long SECOND = 1_000_000_000;
    private static final Duration LONG_WAIT = Duration.ofSeconds(12);

    private final History history;
    private final SimulationSettings settings;
    private final Dice dice;
    private final Effects effects;
    private final SimulatedWork work;

    Callers(History history, SimulationSettings settings, Dice dice, Effects effects, SimulatedWork work) {
        this.history = history;
        this.settings = settings;
        this.dice = dice;
        this.effects = effects;
        this.work = work;
    }

    /** One call of a random kind. */
    void ask(SimulatedProcess process, List<Subject> subjects) {
        Subject subject = dice.oneOf(subjects);
        int kind = dice.between(0, 20);
        if (kind < 14) {
            execute(process, subject);
        } else if (kind < 17) {
            claim(process, subject);
        } else if (kind < 18) {
            claimAll(process, subjects);
        } else if (kind < 19) {
            await(process, subject);
        } else {
            process.engine().sweep();
        }
    }

    /**
     * Asks until the answer is final. The last try must get one.
     *
     * @param parked is called if an operator has to decide
     */
    void settle(SimulatedProcess process, Subject subject, int tries, Consumer<Subject> parked) {
        Call call = asked(
                process, subject, AliasedKey.of(subject.keys().get(0)), Fingerprint.NONE, LONG_WAIT, false, tries == 1);
        subjectCall(process, subject, call, LONG_WAIT, answer -> {
            if (!answer.isFinal() && tries > 1) {
                if (answer == Answer.UNKNOWN) {
                    parked.accept(subject);
                }
                settle(process, subject, tries - 1, parked);
            }
        });
    }

    private void execute(SimulatedProcess process, Subject subject) {
        Call call =
                asked(process, subject, subject.key(dice), subject.fingerprint(dice), subject.maxWait(), false, false);
        subjectCall(process, subject, call, subject.maxWait(), answer -> {});
    }

    private void subjectCall(
            SimulatedProcess process, Subject subject, Call call, Duration maxWait, Consumer<Answer> then) {
        CompletionStage<Outcome<byte[]>> outcome = process.engine()
                .executeAsync(
                        subject.operation().waitingUpTo(maxWait),
                        call.key,
                        call.fingerprint,
                        run -> work.start(process, subject, call.number, run));
        outcome.whenComplete((value, failure) -> {
            Said said = failure == null ? said(subject, value) : new Said(Answer.UNAVAILABLE, "it threw");
            told(process, call, said);
            then.accept(said.answer);
        });
    }

    private void claim(SimulatedProcess process, Subject subject) {
        Call call =
                asked(process, subject, subject.key(dice), subject.fingerprint(dice), subject.maxWait(), false, false);
        Terms terms = subject.operation().terms();
        process.engine()
                .claim(call.key, call.fingerprint, terms, subject.maxWait())
                .whenComplete((outcome, failure) -> claimed(process, subject, call, outcome, failure));
    }

    private void claimAll(SimulatedProcess process, List<Subject> subjects) {
        List<Subject> chosen =
                subjects.stream().filter(subject -> dice.chance(0.5)).toList();
        List<Call> calls = new ArrayList<>();
        List<ClaimRequest> requests = new ArrayList<>();
        for (Subject subject : chosen) {
            Call call =
                    asked(process, subject, subject.key(dice), subject.fingerprint(dice), Duration.ZERO, false, false);
            calls.add(call);
            requests.add(new ClaimRequest(
                    call.key, call.fingerprint, subject.operation().terms()));
        }
        process.engine().claimAll(requests).whenComplete((outcomes, failure) -> {
            for (int i = 0; i < calls.size(); i++) {
                claimed(process, chosen.get(i), calls.get(i), failure == null ? outcomes.get(i) : null, failure);
            }
        });
    }

    private void claimed(
            SimulatedProcess process,
            Subject subject,
            Call call,
            @Nullable ClaimOutcome outcome,
            @Nullable Throwable failure) {
        told(
                process,
                call,
                outcome == null || failure != null ? new Said(Answer.UNAVAILABLE, "it threw") : said(subject, outcome));
        if (outcome instanceof ClaimOutcome.Granted granted) {
            Claim claim = granted.claim();
            work.runElsewhere(process, subject, call.number, claim);
        }
    }

    private void await(SimulatedProcess process, Subject subject) {
        Call call =
                asked(process, subject, subject.key(dice), subject.fingerprint(dice), subject.maxWait(), true, false);
        process.engine().await(call.key, call.fingerprint, subject.maxWait()).whenComplete((awaited, failure) -> {
            told(process, call, failure == null ? said(subject, awaited) : new Said(Answer.UNAVAILABLE, "it threw"));
        });
    }

    private Call asked(
            SimulatedProcess process,
            Subject subject,
            AliasedKey key,
            Fingerprint fingerprint,
            Duration maxWait,
            boolean reads,
            boolean mustSettle) {
        Call call = new Call(history.newCall(), subject, key, fingerprint);
        long lease = subject.operation().terms().lease().toNanos();
        long bound = maxWait.toNanos()
                + 3 * settings.storeTimeout().toNanos()
                + 2 * lease
                + 8 * SECOND
                + SimulatedWork.longest(lease);
        List<String> names = new ArrayList<>();
        names.add(key.key().key());
        key.aliases().stream().map(ClaimKey::key).forEach(names::add);
        history.add(new Asked(
                history.now(),
                process.name(),
                call.number,
                names,
                SimulatedStore.nameOf(fingerprint),
                history.now() + bound,
                reads,
                mustSettle));
        return call;
    }

    private void told(SimulatedProcess process, Call call, Said said) {
        history.add(new Told(history.now(), process.name(), call.number, said.answer, said.value));
        if (said.answer.isFinal()) {
            call.subject.answered(call.key);
        }
        process.measure(20);
    }

    private Said said(Subject subject, Outcome<byte[]> outcome) {
        if (outcome instanceof Outcome.Succeeded<byte[]> done) {
            return new Said(Answer.SUCCEEDED, effects.describe(subject, done.value()));
        }
        if (outcome instanceof Outcome.Rejected<byte[]> rejected) {
            return new Said(Answer.REJECTED, rejected.rejection().code());
        }
        if (outcome instanceof Outcome.Tombstone<byte[]> tombstone) {
            return new Said(Answer.TOMBSTONE, tombstone.why());
        }
        if (outcome instanceof Outcome.Failed<byte[]> failed) {
            return new Said(Answer.FAILED, text(failed.stored()));
        }
        if (outcome instanceof Outcome.Retryable<byte[]> retryable) {
            return new Said(Answer.RETRYABLE, String.valueOf(retryable.cause().getMessage()));
        }
        if (outcome instanceof Outcome.InProgress) {
            return new Said(Answer.IN_PROGRESS, "");
        }
        if (outcome instanceof Outcome.Mismatch) {
            return new Said(Answer.MISMATCH, "");
        }
        if (outcome instanceof Outcome.Unknown<byte[]> unknown) {
            return new Said(Answer.UNKNOWN, unknown.reason());
        }
        if (outcome instanceof Outcome.Unsettled<byte[]> unsettled) {
            return new Said(Answer.UNSETTLED, unsettled.reason());
        }
        return new Said(Answer.UNAVAILABLE, ((Outcome.Unavailable<byte[]>) outcome).reason());
    }

    private Said said(Subject subject, ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Granted) {
            return new Said(Answer.GRANTED, "");
        }
        if (outcome instanceof ClaimOutcome.Succeeded succeeded) {
            StoredResult result = succeeded.result();
            if (result == null || result.isOmitted()) {
                return new Said(Answer.UNAVAILABLE, "the result was omitted");
            }
            return result.isTombstone()
                    ? new Said(Answer.TOMBSTONE, result.text())
                    : new Said(Answer.SUCCEEDED, effects.describe(subject, result.bytes()));
        }
        if (outcome instanceof ClaimOutcome.Failed failed) {
            StoredResult result = failed.result();
            return result != null && result.isOmitted()
                    ? new Said(Answer.UNAVAILABLE, "the result was omitted")
                    : rejectionOrFailure(result);
        }
        if (outcome instanceof ClaimOutcome.InProgress) {
            return new Said(Answer.IN_PROGRESS, "");
        }
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return new Said(Answer.MISMATCH, "");
        }
        if (outcome instanceof ClaimOutcome.Unknown unknown) {
            return new Said(Answer.UNKNOWN, unknown.reason());
        }
        return new Said(Answer.UNAVAILABLE, ((ClaimOutcome.Unavailable) outcome).reason());
    }

    /** PROTOCOL.md, point 8: a rejection is one byte with the length of its code, the code, and the details. */
    private static Said rejectionOrFailure(@Nullable StoredResult result) {
        if (result != null && result.type().equals("semel/rejection")) {
            byte[] bytes = result.bytes();
            return new Said(Answer.REJECTED, new String(bytes, 1, bytes[0], StandardCharsets.US_ASCII));
        }
        return new Said(Answer.FAILED, text(result));
    }

    private Said said(Subject subject, Awaited awaited) {
        if (awaited instanceof Awaited.Answered answered) {
            return said(subject, answered.outcome());
        }
        if (awaited instanceof Awaited.Running) {
            return new Said(Answer.IN_PROGRESS, "");
        }
        if (awaited instanceof Awaited.Unavailable unavailable) {
            return new Said(Answer.UNAVAILABLE, unavailable.reason());
        }
        return new Said(Answer.FREE, "");
    }

    private static String text(@Nullable StoredResult result) {
        return result == null ? "" : result.text();
    }

    private record Call(long number, Subject subject, AliasedKey key, Fingerprint fingerprint) {}

    private record Said(Answer answer, String value) {}
}
