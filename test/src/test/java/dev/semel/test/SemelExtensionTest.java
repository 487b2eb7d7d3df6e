// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import static dev.semel.test.Bank.ORDER;
import static dev.semel.test.SemelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.testkit.MutableClock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs small test classes, which are no tests of this build because they are nested and static. */
class SemelExtensionTest {
    private static final List<TestSemel> SEEN = new ArrayList<>();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void eachTestOfAClassStartsWithoutClaims() {
        assertThat(run(InjectedIntoMethods.class).getTestsSucceededCount()).isEqualTo(4);

        assertThat(distinct()).as("one for the class and its nested class").hasSize(1);
        assertThat(isClosed(SEEN.get(0))).isTrue();
    }

    @Test
    void anInstanceThatAllTestsShareIsResetToo() {
        assertThat(run(InjectedIntoASharedInstance.class).getTestsSucceededCount())
                .isEqualTo(3);

        assertThat(distinct()).hasSize(1);
        assertThat(isClosed(SEEN.get(0))).isTrue();
    }

    @Test
    void aFieldMayRegisterAnInstanceOfTheUsersOwn() {
        assertThat(run(RegisteredInAField.class).getTestsSucceededCount()).isEqualTo(2);

        assertThat(distinct()).hasSize(1);
        assertThat(SEEN.get(0).secrets()).isSameAs(RegisteredInAField.SECRETS);
        assertThat(isClosed(SEEN.get(0))).isTrue();
    }

    @Test
    void aFieldThatIsNotStaticGivesEachTestItsOwn() {
        assertThat(run(RegisteredInAnInstanceField.class).getTestsSucceededCount())
                .isEqualTo(2);

        assertThat(distinct()).hasSize(2);
        assertThat(SEEN).allMatch(SemelExtensionTest::isClosed);
    }

    @Test
    void otherParametersAreLeftToOtherExtensions() {
        TestExecutionSummary summary = run(WithAnUnknownParameter.class);

        assertThat(summary.getTestsFailedCount()).isEqualTo(1);
        assertThat(summary.getFailures().get(0).getException()).hasMessageContaining("No ParameterResolver");
    }

    private static TestExecutionSummary run(Class<?> tests) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .build(),
                        summary);
        return summary.getSummary();
    }

    private static Set<TestSemel> distinct() {
        return new HashSet<>(SEEN);
    }

    private static boolean isClosed(TestSemel semel) {
        semel.storeUp();
        return new Bank().charge(semel.semel()) instanceof Outcome.Unavailable;
    }

    private static void chargesOnce(TestSemel semel) {
        SEEN.add(semel);
        Bank bank = new Bank();
        assertThat(bank.charge(semel.semel())).ranNow();
        assertThat(bank.charge(semel.semel())).isReplayed();
        assertThat(semel.history(ORDER)).ranOnce().wasReplayed(1);
        semel.storeDown();
    }

    @SemelTest
    static class InjectedIntoMethods {
        @BeforeAll
        static void classIsGivenOne(TestSemel semel) {
            SEEN.add(semel);
        }

        @BeforeEach
        void claimsOfTheLastTestAreGone(TestSemel semel) {
            assertThat(semel.history().events()).isEmpty();
        }

        @RepeatedTest(2)
        void chargesOnce(TestSemel semel, Semel engine, MutableClock clock) {
            assertThat(engine).isSameAs(semel.semel());
            assertThat(clock).isSameAs(semel.clock());
            SemelExtensionTest.chargesOnce(semel);
        }

        @Nested
        class Inner {
            @RepeatedTest(2)
            void chargesOnce(TestSemel semel) {
                SemelExtensionTest.chargesOnce(semel);
            }
        }
    }

    @SemelTest
    @TestInstance(Lifecycle.PER_CLASS)
    static class InjectedIntoASharedInstance {
        private final TestSemel semel;

        InjectedIntoASharedInstance(TestSemel semel) {
            this.semel = semel;
        }

        @RepeatedTest(3)
        void chargesOnce() {
            SemelExtensionTest.chargesOnce(semel);
        }
    }

    static class RegisteredInAField {
        static final Secrets SECRETS = Secrets.of("a secret of the application, 32 bytes long");

        @RegisterExtension
        static final SemelExtension SEMEL = SemelExtension.of(() -> TestSemel.create(SECRETS));

        @RepeatedTest(2)
        void chargesOnce(TestSemel semel) {
            SemelExtensionTest.chargesOnce(semel);
        }
    }

    static class RegisteredInAnInstanceField {
        @RegisterExtension
        final SemelExtension semel = new SemelExtension();

        @RepeatedTest(2)
        void chargesOnce(TestSemel injected) {
            SemelExtensionTest.chargesOnce(injected);
        }
    }

    @SemelTest
    static class WithAnUnknownParameter {
        @Test
        void neverRuns(Runnable nobodyInjectsThis) {
            nobodyInjectsThis.run();
        }
    }
}
