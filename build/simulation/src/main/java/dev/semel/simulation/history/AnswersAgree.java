// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Answer;
import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Conflicted;
import dev.semel.simulation.history.HistoryEvent.Decided;
import dev.semel.simulation.history.HistoryEvent.Ended;
import dev.semel.simulation.history.HistoryEvent.Forgotten;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Ran;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What one caller was told about a key, every later caller is told as well, byte for byte, while the answer is kept. Nothing runs
 * meanwhile.
 */
final class AnswersAgree implements Rule {
    /** The prefix of values that a store refuses to keep. Later callers are told {@link Answer#TOMBSTONE} instead. */
    static final String UNSTORABLE = "unstorable";

    private final Grants grants;
    private final Map<Long, Asked> calls = new HashMap<>();

    /** Where values come from. Two runs may return the same value: nothing. */
    private final Map<String, List<Source>> sources = new HashMap<>();

    private final Map<String, Known> answers = new HashMap<>();
    private final Set<String> conflicted = new HashSet<>();

    /** Those that the engine made itself. */
    private final ForgottenAnswers forgottenAnswers = new ForgottenAnswers();

    AnswersAgree(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Asked asked) {
            calls.put(asked.call(), asked);
            forgottenAnswers.asked(asked);
        } else if (event instanceof Conflicted conflict) {
            conflicted.addAll(conflict.keys());
        } else if (event instanceof Ended ended) {
            comesFrom(ended.value(), new Source(ended.record(), 0));
        } else if (event instanceof Decided decided) {
            Grants.Grant grant = grants.latest(decided.ref());
            String record = grant == null ? "" : grant.granted.record();
            comesFrom(decided.value(), new Source(record, decided.at() + decided.keptFor()));
        } else if (event instanceof Granted granted) {
            forgottenAnswers.granted(granted);
        } else if (event instanceof Forgotten forgotten) {
            forgottenAnswers.forgotten(forgotten);
            Grants.Grant grant = grants.latest(forgotten.ref());
            if (grant != null) {
                forget(grant.granted.record(), forgotten);
            }
        } else if (event instanceof Ran ran) {
            Asked asked = calls.get(ran.call());
            if (asked != null) {
                forgottenAnswers.ran(asked, ran.record());
            }
            List<Known> known = asked == null ? List.of() : knownTo(asked, ran.at());
            if (!known.isEmpty()) {
                broken.accept("work ran although earlier callers were told " + known);
            }
        } else if (event instanceof Told told) {
            see(told, broken);
        }
    }

    private void comesFrom(String value, Source source) {
        sources.computeIfAbsent(value, absent -> new ArrayList<>()).add(source);
    }

    private void see(Told told, Consumer<String> broken) {
        Asked asked = calls.get(told.call());
        if (asked == null) {
            broken.accept("a caller was told something without asking");
            return;
        }
        List<Source> from = told.answer().isFinal() ? sources.getOrDefault(told.value(), List.of()) : List.of();
        if (from.stream().anyMatch(source -> asked.at() <= source.cachedUntil)
                || (from.isEmpty() && forgottenAnswers.mayBeCached(told, asked))) {
            return;
        }
        // Keys that lead to two records have two answers, and either may answer for both. A read does not report such a
        // conflict. The answer may be the engine's own, such as "given up", which no work has made.
        List<Known> known = knownTo(asked, told.at());
        boolean either =
                asked.reads() && asked.keys().size() > 1 && told.answer().isFinal();
        if (!known.isEmpty() && !either && known.stream().noneMatch(one -> agrees(told, one, asked))) {
            broken.accept("a caller was told %s %s, but earlier ones %s".formatted(told.answer(), told.value(), known));
        }
        if (!from.isEmpty() && !asked.reads() && asked.keys().stream().noneMatch(conflicted::contains)) {
            for (String key : asked.keys()) {
                Known before = answers.get(key);
                if (before == null || !before.value.equals(told.value())) {
                    answers.put(key, known(told, from));
                }
            }
        }
    }

    /** The answer is kept until the first of its possible sources expires. */
    private Known known(Told told, List<Source> from) {
        Set<String> records = new HashSet<>();
        long until = Long.MAX_VALUE;
        for (Source source : from) {
            records.add(source.record);
            until = Math.min(until, Math.max(source.until, grants.keptUntil(source.record)));
        }
        return new Known(told.value(), records, told.at(), until);
    }

    private static boolean agrees(Told told, Known known, Asked asked) {
        return switch (told.answer()) {
            case SUCCEEDED, REJECTED, FAILED -> told.value().equals(known.value);
            case TOMBSTONE -> known.value.startsWith(UNSTORABLE);
            case MISMATCH -> !asked.fingerprint().isEmpty();
            // Ask again: this process did not learn the answer in time.
            case UNAVAILABLE, IN_PROGRESS -> true;
            default -> false;
        };
    }

    /** What was told about these keys before this caller asked, and is still kept at this moment. */
    private List<Known> knownTo(Asked asked, long moment) {
        return asked.keys().stream()
                .filter(key -> !conflicted.contains(key))
                .map(answers::get)
                .filter(known -> known != null && asked.at() > known.at && moment < known.until)
                .toList();
    }

    private void forget(String record, Forgotten forgotten) {
        answers.values().removeIf(known -> known.records.contains(record));
        sources.values().stream()
                .flatMap(List::stream)
                .filter(source -> source.record.equals(record))
                .forEach(source -> source.cachedUntil = forgotten.cachedUntil());
    }

    private record Known(String value, Set<String> records, long at, long until) {}

    /** Where a value comes from. */
    private static final class Source {
        private final String record;
        private final long until;
        private long cachedUntil = Long.MIN_VALUE;

        Source(String record, long until) {
            this.record = record;
            this.until = until;
        }
    }
}
