// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.history.Answer;
import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule accepts a good history and finds what is wrong with a bad one. */
class RulesTest {
    private static final String ITEM = "item";
    private static final long MS = 1_000_000L;
    private static final long NONE = 0;

    /** A history that breaks one rule, and one that is like it but does not. */
    record Case(String name, HistoryRule rule, List<Entry> good, List<Entry> bad) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        "a second run begins after, or within, the lease of the first",
                        new OneRunPerLease(),
                        of("a", granted(10, "t1", 1, 1000), began(20, 1, "t1", 1000), began(1100, 2, "t2", 2000)),
                        of("a", granted(10, "t1", 1, 1000), began(20, 1, "t1", 1000), began(500, 2, "t2", 2000))),
                new Case(
                        "a renewal prolongs the lease in which no other run may begin",
                        new OneRunPerLease(),
                        of("a", began(20, 1, "t1", 1000), began(1200, 2, "t2", 2500)),
                        of("a", began(20, 1, "t1", 1000), renewed(900, "t1", 1900), began(1200, 2, "t2", 2500))),
                new Case(
                        "a run that has ended does not exclude the next",
                        new OneRunPerLease(),
                        of("a", began(20, 1, "t1", 1000), ended(100, 1, ""), began(200, 2, "t2", 2000)),
                        of("a", began(20, 1, "t1", 1000), ended(300, 1, ""), began(200, 2, "t2", 2000))),
                new Case(
                        "a run that has succeeded excludes the next while its lease is valid, also before it is settled",
                        new OneRunPerLease(),
                        of("a", began(20, 1, "t1", 1000), ended(100, 1, "h1"), began(1100, 2, "t2", 2000)),
                        of("a", began(20, 1, "t1", 1000), ended(100, 1, "h1"), began(200, 2, "t2", 2000))),
                new Case(
                        "a success that has expired does not exclude the next run",
                        new OneRunPerLease(),
                        of(
                                "a",
                                askedWithTtl(10, 7, 300),
                                began(20, 1, "t1", 1000),
                                ended(100, 1, "h1"),
                                began(420, 2, "t2", 2000)),
                        of(
                                "a",
                                askedWithTtl(10, 7, 300),
                                began(20, 1, "t1", 1000),
                                ended(100, 1, "h1"),
                                began(320, 2, "t2", 2000))),
                new Case(
                        "a grant begins one run",
                        new OneRunPerLease(),
                        of(
                                "a",
                                stalled(100, 50),
                                of("a", began(20, 1, "t1", 1000), ended(40, 1, ""), began(200, 2, "t1", 1000))),
                        of("a", began(20, 1, "t1", 1000), ended(40, 1, ""), began(200, 2, "t1", 1000))),
                new Case(
                        "work begins within its lease",
                        new RunsHaveALease(),
                        of("a", began(1200, 1, "t1", 1000)),
                        of("a", began(1251, 1, "t1", 1000))),
                new Case(
                        "a result that the store has refused is not told",
                        new LostResultsAreNotTold(),
                        of(
                                "a",
                                lost(40, 1, 16, "h1"),
                                told(50, 2, Answer.SUCCEEDED, "h2"),
                                lost(60, 3, 15, "h3"),
                                told(70, 4, Answer.SUCCEEDED, "h3")),
                        of("a", told(30, 2, Answer.SUCCEEDED, "h1"), lost(40, 1, 16, "h1"))),
                new Case(
                        "a process that stood still cannot know that its lease has ended",
                        new RunsHaveALease(),
                        of("a", stalled(1000, 400), began(1001, 1, "t1", 600)),
                        of("b", stalled(1000, 400), of("a", began(1001, 1, "t1", 600)))),
                new Case(
                        "no run begins after a success",
                        new NoRunAfterSuccess(),
                        of(
                                "a",
                                began(20, 1, "t1", 400),
                                ended(30, 1, "h1"),
                                began(500, 2, "t2", 900),
                                settled(600, 2, "h1", 0)),
                        of(
                                "a",
                                began(20, 1, "t1", 400),
                                ended(30, 1, "h1"),
                                settled(40, 1, "h1", 0),
                                began(500, 2, "t2", 900))),
                new Case(
                        "a success that has expired permits a run",
                        new NoRunAfterSuccess(),
                        of("a", settled(40, 1, "h1", 100), began(500, 2, "t2", 900)),
                        of("a", settled(40, 1, "h1", 1000), began(500, 2, "t2", 900))),
                new Case(
                        "what a caller was told counts as a success too",
                        new NoRunAfterSuccess(),
                        of(
                                "a",
                                asked(10, 7),
                                ended(20, 1, "h1"),
                                told(30, 7, Answer.UNAVAILABLE, ""),
                                began(500, 2, "t2", 900)),
                        of(
                                "a",
                                asked(10, 7),
                                ended(20, 1, "h1"),
                                told(30, 7, Answer.SUCCEEDED, "h1"),
                                began(500, 2, "t2", 900))),
                new Case(
                        "no run begins after a failure for good",
                        new NoRunAfterSuccess(),
                        of("a", asked(10, 7), told(30, 7, Answer.RETRYABLE, ""), began(500, 2, "t2", 900)),
                        of("a", asked(10, 7), told(30, 7, Answer.GIVEN_UP, ""), began(500, 2, "t2", 900))),
                new Case(
                        "a result is not told after it has expired",
                        new ExpiredResultsAreNotTold(),
                        of(
                                "a",
                                settled(40, 1, "h1", 1000),
                                askedWithTtl(9_000, 7, 1000),
                                toldBytes(9_010, 7, 16, "h1")),
                        of(
                                "a",
                                settled(40, 1, "h1", 1000),
                                askedWithTtl(9_100, 7, 1000),
                                toldBytes(9_110, 7, 16, "h1"))),
                new Case(
                        "a later caller is told the same",
                        new AnswersStay(),
                        of("a", settled(40, 1, "h1", 0), asked(50, 7), told(60, 7, Answer.SUCCEEDED, "h1")),
                        of("a", settled(40, 1, "h1", 0), asked(50, 7), told(60, 7, Answer.SUCCEEDED, "h2"))),
                new Case(
                        "a later caller is not told that it failed",
                        new AnswersStay(),
                        of("a", settled(40, 1, "h1", 0), asked(50, 7), told(60, 7, Answer.UNAVAILABLE, "")),
                        of("a", settled(40, 1, "h1", 0), asked(50, 7), told(60, 7, Answer.TOMBSTONE, ""))),
                new Case(
                        "a success is the result of a run",
                        new SuccessNeedsARun(),
                        of("a", ended(20, 1, "h1"), told(60, 7, Answer.SUCCEEDED, "h1")),
                        of("a", told(60, 7, Answer.SUCCEEDED, "h1"))),
                new Case(
                        "a token acquires one claim",
                        new TokensAreFresh(),
                        of("a", granted(10, "t1", 1, 100), granted(20, "t1", 1, 100)),
                        of("a", granted(10, "t1", 1, 100), granted(20, "t1", 2, 100))),
                new Case(
                        "fences grow",
                        new GrantedFencesGrow(),
                        of("a", granted(10, "t1", 1, 100), granted(20, "t2", 2, 100)),
                        of("a", granted(10, "t1", 2, 100), granted(20, "t2", 1, 100))),
                new Case(
                        "an effect is committed once",
                        new EffectsAreCommittedOnce(),
                        of(
                                "a",
                                began(20, 1, "", NONE),
                                told(30, 7, Answer.SUCCEEDED, "h1"),
                                stored(90, "effects", "h1")),
                        of("a", stored(90, "effects", "h1"), stored(91, "effects", "h2"))),
                new Case(
                        "an effect that a caller was told of is committed",
                        new EffectsAreCommittedOnce(),
                        of("a", began(20, 1, "", NONE), told(30, 7, Answer.UNAVAILABLE, "")),
                        of("a", began(20, 1, "", NONE), told(30, 7, Answer.SUCCEEDED, "h1"))),
                new Case(
                        "a reader misses nothing",
                        new PagesAreComplete(),
                        of("a", read(10, 1, "x"), pagesEnded(20, 1), stored(5, "ledger", "x")),
                        of("a", pagesEnded(20, 1), stored(5, "ledger", "x"))),
                new Case(
                        "a reader gets nothing twice",
                        new PagesAreComplete(),
                        of("a", stored(5, "ledger", "x"), read(10, 1, "x"), read(20, 2, "x")),
                        of("a", stored(5, "ledger", "x"), read(10, 1, "x"), read(20, 1, "x"))),
                new Case(
                        "a reader gets nothing that was never stored",
                        new PagesAreComplete(),
                        of("a", stored(5, "ledger", "x"), read(10, 1, "x")),
                        of("a", stored(5, "ledger", "x"), read(10, 1, "y"))),
                new Case(
                        "a record that a writer was told of is stored, and only one for a key",
                        new PagesAreComplete(),
                        of("a", stored(5, "ledger", "x"), written(10, "x"), written(20, "x")),
                        of(
                                "a",
                                stored(5, "ledger", "x"),
                                stored(6, "ledger", "y"),
                                written(10, "x"),
                                written(20, "y"))),
                new Case(
                        "a call ends within its bound",
                        new CallsAreBounded(),
                        of("a", asked(10, 7), told(1000, 7, Answer.UNAVAILABLE, "")),
                        of("a", asked(10, 7), told(1011, 7, Answer.UNAVAILABLE, ""))),
                new Case(
                        "a call without an answer was cut off by the end of its process",
                        new CallsAreBounded(),
                        of("a", asked(10, 7), began(900, 1, "t1", 2000)),
                        of("a", asked(10, 7), began(1100, 1, "t1", 2000))),
                new Case(
                        "a call does not wait while its process stands still",
                        new CallsAreBounded(),
                        of("a", asked(10, 7), stalled(900, 700), told(1200, 7, Answer.UNAVAILABLE, "")),
                        of("a", asked(10, 7), stalled(900, 890), told(1200, 7, Answer.UNAVAILABLE, ""))),
                new Case(
                        "a claim is not sent after its caller has left",
                        new NothingIsClaimedForNobody(),
                        of("a", asked(10, 7), sent(11, "t1"), told(20, 7, Answer.UNAVAILABLE, ""), sent(5000, "t1")),
                        of("a", asked(10, 7), told(20, 7, Answer.UNAVAILABLE, ""), sent(5000, "t1"))),
                new Case(
                        "a gauge stays in its limit",
                        new GaugesStayInLimits(),
                        of("a", new RecordedEvent.Gauge(1, "", "heap", 10, 10)),
                        of("a", new RecordedEvent.Gauge(1, "", "heap", 11, 10))),
                new Case(
                        "attempts that were given back do not use up the cap",
                        new AttemptsThatRanCount(),
                        of("a", sent(1, "t1"), sent(2, "t2"), sent(3, "t3"), givenUp(9, 2)),
                        of("a", sent(1, "t1"), sent(2, "t2"), givenBack(3, "t2"), sent(4, "t3"), givenUp(9, 2))),
                new Case(
                        "an owner whose successor was granted the claim does not settle it",
                        new OnlyOwnersSettle(),
                        of("a", began(20, 1, "t1", 40), settled(60, 1, "h1", 0), granted(90, "t2", 2, 900)),
                        of("a", began(20, 1, "t1", 40), granted(50, "t2", 2, 900), settled(60, 1, "h1", 0))),
                new Case(
                        "an owner whose successor was granted the claim does not renew it",
                        new OnlyOwnersSettle(),
                        of("a", granted(10, "t1", 1, 40), renewed(50, "t1", 90), granted(95, "t2", 2, 900)),
                        of("a", granted(10, "t1", 1, 40), granted(50, "t2", 2, 900), renewed(60, "t1", 900))),
                new Case(
                        "a settlement is repeated until the store's time-out",
                        new SettlementsAreRepeated(),
                        of("a", asked(10, 7), ended(20, 1, "h1"), told(1900, 7, Answer.UNSETTLED, "")),
                        of("a", asked(10, 7), ended(20, 1, "h1"), told(60, 7, Answer.UNSETTLED, ""))),
                new Case(
                        "everything settles",
                        new RoundsSettle(),
                        of("a", told(60, 7, Answer.UNAVAILABLE, "")),
                        of("a", new RecordedEvent.Unfinished(1, ITEM, Answer.UNAVAILABLE))),
                new Case(
                        "nothing unexpected happens",
                        new NothingUnexpected(),
                        of("a", new RecordedEvent.Faulted(1, "", "kill")),
                        of("a", new RecordedEvent.Unexpected(1, "", "it threw"))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void acceptsTheGoodHistoryAndFindsTheBadOne(Case one) {
        assertThat(one.rule().violations(new ProcessHistory(one.good()))).isEmpty();
        assertThat(one.rule().violations(new ProcessHistory(one.bad()))).hasSize(1);
    }

    @Test
    void theCheckerHasEveryRule() {
        assertThat(Checker.RULES.stream().map(HistoryRule::getClass).toList())
                .containsAll(cases().map(one -> one.rule().getClass()).toList())
                .doesNotHaveDuplicates();
    }

    private static List<Entry> of(String process, RecordedEvent... events) {
        return Stream.of(events).map(event -> new Entry(process, event)).toList();
    }

    private static List<Entry> of(String process, RecordedEvent event, List<Entry> more) {
        List<Entry> all = new ArrayList<>(of(process, event));
        all.addAll(more);
        return all;
    }

    private static RecordedEvent asked(long at, long call) {
        return new RecordedEvent.Asked(at * MS, ITEM, call, 0, 1000);
    }

    private static RecordedEvent askedWithTtl(long at, long call, long ttl) {
        return new RecordedEvent.Asked(at * MS, ITEM, call, ttl, 1000);
    }

    private static RecordedEvent toldBytes(long at, long call, int bytes, String hash) {
        return new RecordedEvent.Told(at * MS, ITEM, call, Answer.SUCCEEDED, bytes, hash);
    }

    private static RecordedEvent told(long at, long call, Answer answer, String hash) {
        return new RecordedEvent.Told(at * MS, ITEM, call, answer, 0, hash);
    }

    private static RecordedEvent givenUp(long at, int attempts) {
        return new RecordedEvent.Told(at * MS, ITEM, 1, Answer.GIVEN_UP, attempts, "");
    }

    private static RecordedEvent sent(long at, String token) {
        return new RecordedEvent.Sent(at * MS, ITEM, token);
    }

    private static RecordedEvent granted(long at, String token, long fence, long leaseEnd) {
        return new RecordedEvent.Granted(at * MS, ITEM, "ref", token, fence, 1, (at - 1) * MS, leaseEnd * MS);
    }

    private static RecordedEvent renewed(long at, String token, long leaseEnd) {
        return new RecordedEvent.Renewed(at * MS, ITEM, token, (at - 1) * MS, leaseEnd * MS);
    }

    private static RecordedEvent givenBack(long at, String token) {
        return new RecordedEvent.GivenBack(at * MS, ITEM, token);
    }

    private static RecordedEvent began(long at, long run, String token, long leaseEnd) {
        return new RecordedEvent.Began(at * MS, ITEM, run, token, run, leaseEnd * MS, 300);
    }

    private static RecordedEvent ended(long at, long run, String hash) {
        return new RecordedEvent.Ended(at * MS, ITEM, run, 0, hash);
    }

    private static RecordedEvent settled(long at, long run, String hash, long ttl) {
        return new RecordedEvent.Settled(at * MS, ITEM, run, Answer.SUCCEEDED, (at - 1) * MS, 0, hash, ttl);
    }

    private static RecordedEvent lost(long at, long run, int bytes, String hash) {
        return new RecordedEvent.Lost(at * MS, ITEM, run, bytes, hash, NONE);
    }

    private static RecordedEvent stalled(long at, long from) {
        return new RecordedEvent.Stalled(at * MS, "", from * MS);
    }

    private static RecordedEvent stored(long at, String stream, String id) {
        return new RecordedEvent.Stored(at * MS, ITEM, stream, id);
    }

    private static RecordedEvent written(long at, String id) {
        return new RecordedEvent.Written(at * MS, ITEM, "ledger", id);
    }

    private static RecordedEvent read(long at, long reader, String id) {
        return new RecordedEvent.PageRead(at * MS, "", "ledger", reader, id);
    }

    private static RecordedEvent pagesEnded(long at, long reader) {
        return new RecordedEvent.PagesEnded(at * MS, "", "ledger", reader);
    }
}
