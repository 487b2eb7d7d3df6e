// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import dev.semel.architecture.controls.ControlKnowingKafka;
import dev.semel.architecture.controls.ControlKnowingSpring;
import dev.semel.architecture.controls.ControlKnowingVertx;
import dev.semel.architecture.controls.ControlPrinting;
import dev.semel.architecture.controls.ControlSerializing;
import dev.semel.architecture.controls.ControlSleeping;
import dev.semel.architecture.controls.ControlWithWallClock;
import dev.semel.architecture.controls.claim.ControlClaimKnowingTheEngine;
import dev.semel.architecture.controls.core.ControlCoreKnowingJdbc;
import dev.semel.architecture.controls.jdbc.ControlStoreKnowingTheEngine;
import dev.semel.architecture.controls.journal.ControlJournalKnowingTheEngine;
import dev.semel.architecture.controls.messaging.ControlMessagingKnowingAStore;
import dev.semel.architecture.controls.operations.ControlOperationsKnowingAStore;
import dev.semel.architecture.controls.payload.ControlPayloadKnowingTheEngine;
import dev.semel.architecture.controls.redis.ControlCacheKnowingTheEngine;
import dev.semel.architecture.controls.spi.ControlSpiKnowingTheEngine;
import java.io.ObjectInputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.Set;

/** The rules. Each has a control, a class that breaks it, which proves that the rule can fail. */
@SuppressWarnings("ImmutableEnumChecker") // ArchUnit's rules are immutable, but not marked as such.
enum Rule {
    CLAIMS_ARE_PLAIN_VALUES(
            ControlClaimKnowingTheEngine.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.claim..", "dev.semel.internal..", "..controls.claim..")
                    .should()
                    .dependOnClassesThat(not(resideInAnyPackage(
                            "java..",
                            "javax.crypto..",
                            "org.jspecify..",
                            "dev.semel.claim..",
                            "dev.semel.internal..",
                            "..controls.claim..")))
                    .because("values depend on neither the SPI nor the engine")),

    THE_SPI_KNOWS_ONLY_VALUES(
            ControlSpiKnowingTheEngine.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.spi..", "..controls.spi..")
                    .should()
                    .dependOnClassesThat(not(resideInAnyPackage(
                            "java..",
                            "org.jspecify..",
                            "dev.semel.claim..",
                            "dev.semel.internal..",
                            "dev.semel.spi..",
                            "..controls.spi..")))
                    .because("a store must be implementable without the engine")),

    CORE_KNOWS_NO_STORE_AND_NO_FRAMEWORK(
            ControlCoreKnowingJdbc.class,
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "dev.semel",
                            "dev.semel.claim..",
                            "dev.semel.key..",
                            "dev.semel.lane..",
                            "dev.semel.memory..",
                            "dev.semel.replay..",
                            "dev.semel.spi..",
                            "dev.semel.internal..",
                            "..controls.core..")
                    .should()
                    .dependOnClassesThat(not(resideInAnyPackage(
                                    "java..",
                                    "javax.crypto..",
                                    "org.jspecify..",
                                    "org.slf4j..",
                                    "dev.semel",
                                    "dev.semel.claim..",
                                    "dev.semel.key..",
                                    "dev.semel.lane..",
                                    "dev.semel.memory..",
                                    "dev.semel.replay..",
                                    "dev.semel.spi..",
                                    "dev.semel.internal..",
                                    "com.github.benmanes.caffeine.cache"))
                            .or(resideInAPackage("java.sql..")))
                    .because("dependencies point inwards")),

    PAYLOAD_KNOWS_ONLY_CLAIMS_AND_SECRETS(
            ControlPayloadKnowingTheEngine.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.payload..", "..controls.payload..")
                    .should()
                    .dependOnClassesThat(not(resideInAnyPackage(
                                    "java..",
                                    "javax.crypto..",
                                    "org.jspecify..",
                                    "dev.semel.claim..",
                                    "dev.semel.internal..",
                                    "dev.semel.key..",
                                    "dev.semel.payload.."))
                            .or(resideInAPackage("java.sql..")))
                    .because("the content of payloads must not depend on the engine or a store")),

    STORES_KNOW_ONLY_THE_SPI(
            ControlStoreKnowingTheEngine.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.jdbc..", "dev.semel.dynamodb..", "..controls.jdbc..")
                    .and(not(describe("run work inside a transaction", Rule::runsWorkInATransaction)))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("dev.semel", "dev.semel.key..", "dev.semel.memory.."))
                    .because("only the protocol decides about claims, and a store must not")),

    OPERATIONS_AND_WEBHOOKS_KNOW_NO_STORE(
            ControlOperationsKnowingAStore.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.operations..", "dev.semel.webhooks..", "..controls.operations..")
                    .should()
                    .dependOnClassesThat(not(resideInAnyPackage(
                                    "java..",
                                    "javax.crypto..",
                                    "javax.net.ssl..",
                                    "org.jspecify..",
                                    "org.slf4j..",
                                    "dev.semel",
                                    "dev.semel.claim..",
                                    "dev.semel.internal..",
                                    "dev.semel.key..",
                                    "dev.semel.payload..",
                                    "dev.semel.operations..",
                                    "dev.semel.webhooks..",
                                    "com.google.i18n.phonenumbers.."))
                            .or(resideInAPackage("java.sql..")))
                    .because("these modules work on every store, and only the protocol decides about claims")),

    MESSAGING_KNOWS_NO_QUEUE_AND_NO_OTHER_STORE(
            ControlMessagingKnowingAStore.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.messaging..", "..controls.messaging..")
                    .should()
                    .dependOnClassesThat(not(resideInAnyPackage(
                            "java..",
                            "org.jspecify..",
                            "org.slf4j..",
                            "dev.semel",
                            "dev.semel.claim..",
                            "dev.semel.jdbc",
                            "dev.semel.messaging..")))
                    .because("a gate works for every queue; effects in one commit with their claim need a database")),

    ONLY_ITS_ADAPTERS_KNOW_KAFKA(
            ControlKnowingKafka.class,
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.semel.kafka..", "dev.semel.spring.kafka..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..", "dev.semel.kafka.."))
                    .because("dependencies point inwards")),

    ONLY_ITS_ADAPTERS_KNOW_SPRING(
            ControlKnowingSpring.class,
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.semel.spring..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("org.springframework..", "dev.semel.spring.."))
                    .because("dependencies point inwards")),

    THE_SHARED_CACHE_KNOWS_ONLY_REPLAYS(
            ControlCacheKnowingTheEngine.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.redis..", "..controls.redis..")
                    .should()
                    .dependOnClassesThat(not(resideInAnyPackage(
                                    "java..",
                                    "javax.crypto..",
                                    "org.jspecify..",
                                    "org.slf4j..",
                                    "io.lettuce.core..",
                                    "dev.semel.claim..",
                                    "dev.semel.internal..",
                                    "dev.semel.key..",
                                    "dev.semel.replay..",
                                    "dev.semel.redis.."))
                            .or(resideInAPackage("java.sql..")))
                    .because("a cache returns stored results and decides nothing")),

    THE_JOURNAL_KNOWS_NO_ENGINE(
            ControlJournalKnowingTheEngine.class,
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.semel.journal..", "..controls.journal..")
                    .and(not(describe("pass rows to claims inside a transaction", Rule::claimsInATransaction)))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("dev.semel", "dev.semel.memory.."))
                    .because("a row and its claim are one commit, which needs no engine")),

    ONLY_THE_STORES_CLOCK_DECIDES(
            ControlWithWallClock.class,
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.semel.memory..", "dev.semel.testkit..")
                    // A sender's signed timestamp can only be compared with our clock.
                    .and()
                    .doNotHaveFullyQualifiedName("dev.semel.internal.SendersClock")
                    // Only for the expiry time that clients are shown.
                    .and()
                    .doNotHaveFullyQualifiedName("dev.semel.http.Expiry")
                    // Only for the position of an id in an index.
                    .and()
                    .doNotHaveFullyQualifiedName("dev.semel.journal.ledger.OrderedIds")
                    // Only for times that people are shown.
                    .and()
                    .doNotHaveFullyQualifiedName("dev.semel.admin.DisplayClock")
                    // Report how far the two clocks differ, and decide nothing.
                    .and()
                    .doNotHaveFullyQualifiedName("dev.semel.server.admin.DoctorResource")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.semel.server.cli.DoctorCommand")
                    .should()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(LocalDateTime.class, "now")
                    .orShould()
                    .callMethod(Clock.class, "systemUTC")
                    .orShould()
                    .callMethod(InstantSource.class, "system")
                    .because("an application's clock must never be compared with a database's")),

    NO_CLASS_SLEEPS(
            ControlSleeping.class,
            noClasses()
                    .that()
                    // A command polls a server on its own thread, for which nobody waits.
                    .doNotHaveFullyQualifiedName("dev.semel.server.cli.RemoteCleanup")
                    .should()
                    .callMethod(Thread.class, "sleep", long.class)
                    .because("waiting callers hold no thread, and tests await conditions")),

    NO_CLASS_PRINTS(
            ControlPrinting.class,
            noClasses()
                    .should()
                    .accessField(System.class, "out")
                    .orShould()
                    .accessField(System.class, "err")
                    .because("a library logs through SLF4J")),

    ONLY_THE_SERVER_KNOWS_ITS_FRAMEWORK(
            ControlKnowingVertx.class,
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.semel.server..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("io.vertx..", "io.netty..", "picocli..", "org.yaml.."))
                    .because("applications that use Semel as a library choose their own framework")),

    NO_JAVA_SERIALIZATION(
            ControlSerializing.class,
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .areAssignableTo(ObjectInputStream.class)
                    .because("deserialization can run foreign code"));

    /** Claims inside a transaction: these classes use types of the engine. The decisions stay in core. */
    private static boolean runsWorkInATransaction(JavaClass type) {
        return Set.of(
                        "dev.semel.dynamodb.DynamoTransactions",
                        "dev.semel.dynamodb.ItemsWork",
                        "dev.semel.jdbc.TransactionalClaims",
                        "dev.semel.jdbc.TransactionWork",
                        "dev.semel.jdbc.JdbcTransaction",
                        "dev.semel.jdbc.CommittingTransaction",
                        "dev.semel.jdbc.LeasedTransaction",
                        "dev.semel.jdbc.RetriedTransaction",
                        "dev.semel.jdbc.RunningWork",
                        "dev.semel.jdbc.GroupedClaims",
                        "dev.semel.jdbc.GroupRunner")
                .contains(type.getName().replaceFirst("\\$.*", ""));
    }

    /** The inbox passes an outcome from its claims to its callers. The decisions stay in core here too. */
    private static boolean claimsInATransaction(JavaClass type) {
        return Set.of(
                        "dev.semel.journal.inbox.InboxClaims",
                        "dev.semel.journal.inbox.Inbox",
                        // Hand over the listeners of those claims.
                        "dev.semel.journal.Journal",
                        "dev.semel.journal.JournalBuilder")
                .contains(type.getName().replaceFirst("\\$.*", ""));
    }

    final Class<?> control;
    final ArchRule rule;

    Rule(Class<?> control, ArchRule rule) {
        this.control = control;
        this.rule = rule;
    }
}
