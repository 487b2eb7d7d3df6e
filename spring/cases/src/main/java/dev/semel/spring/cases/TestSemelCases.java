// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static dev.semel.test.SemelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.NotDoneException;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spring.cases.CardPayments.Bank;
import dev.semel.spring.cases.CardPayments.CardController;
import dev.semel.spring.test.AutoConfigureTestSemel;
import dev.semel.spring.test.TestSemelAutoConfiguration;
import dev.semel.test.AtOnce;
import dev.semel.test.TestSemel;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** A test of an application without a database, as a user writes it. All tests use the same key, so each sees the reset. */
@SpringBootTest(
        classes = TestSemelCases.CardApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            TestSemelCases.NO_DATA_SOURCE,
            "spring.main.banner-mode=off",
            "spring.flyway.enabled=false",
            "management.health.redis.enabled=false",
            "server.address=127.0.0.1",
            "logging.level.root=WARN"
        })
@AutoConfigureTestSemel
public abstract class TestSemelCases {
    static final String NO_DATA_SOURCE = "spring.autoconfigure.exclude="
            + "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    @Autowired
    @SuppressWarnings("NullAway.Init") // Spring sets it.
    private TestSemel semel;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private CardPayments payments;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private Bank bank;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private Environment environment;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class CardApplication {
        @Bean
        Bank bank() {
            return new Bank();
        }

        @Bean
        CardPayments cardPayments(Bank bank) {
            return new CardPayments(bank);
        }

        @Bean
        CardController cardController(Bank bank) {
            return new CardController(bank);
        }
    }

    @BeforeEach
    void forgetCharges() {
        bank.keys().clear();
    }

    @Test
    void aSecondClickReceivesTheSameReceipt() {
        assertThat(payments.charge("order-17")).isEqualTo(payments.charge("order-17"));

        assertThat(semel.history("card.charge")).ranOnce().wasReplayed(1);
        assertThat(bank.keys()).hasSize(1);
    }

    @Test
    void afterACrashTheBankReceivesTheSameKey() {
        semel.crashBeforeSettlement(() -> payments.charge("order-17"));
        assertThatThrownBy(() -> payments.charge("order-17")).isInstanceOf(NotDoneException.InProgress.class);

        semel.advance(Duration.ofMinutes(5)); // the lease of the dead owner ends
        assertThat(payments.charge("order-17")).isEqualTo("receipt of order-17");

        assertThat(bank.keys()).hasSize(2).containsOnly(bank.keys().get(0));
    }

    @Test
    void aResultEndsWithTheClock() {
        payments.charge("order-17");
        semel.advance(Duration.ofHours(23));
        payments.charge("order-17");
        assertThat(semel.history()).ranOnce();

        semel.advance(Duration.ofHours(1));
        payments.charge("order-17");
        assertThat(semel.history()).ran(2);
    }

    @Test
    void eightClicksAtTheSameMomentChargeOnce() {
        AtOnce<String> clicks = semel.atOnce(8, () -> payments.charge("order-17"));

        assertThat(clicks.returned()).containsExactly("receipt of order-17");
        assertThat(clicks.thrown()).hasSize(7).hasOnlyElementsOfType(NotDoneException.InProgress.class);
        assertThat(bank.keys()).hasSize(1);
    }

    /** Leaves the store down, for the next test and for the end of the application. */
    @Test
    void withoutTheStoreNothingIsCharged() {
        semel.storeDown();

        assertThatThrownBy(() -> payments.charge("order-17")).isInstanceOf(NotDoneException.Unavailable.class);
        assertThat(bank.keys()).isEmpty();
    }

    @Test
    void aRouteRunsAgainAfterACrash() {
        Call charge = new Call(
                        environment.getRequiredProperty("local.server.port", Integer.class),
                        "/charges",
                        "{}",
                        List.of("Content-Type", "application/json"))
                .key("order-17");
        semel.crashBeforeSettlement(charge::send);
        assertThat(charge.send().statusCode()).isEqualTo(409);

        semel.advance(Duration.ofMinutes(5));
        HttpResponse<byte[]> second = charge.send();
        HttpResponse<byte[]> replay = charge.send();

        assertThat(Call.text(second)).isEqualTo("{\"charge\":2}");
        assertThat(replay.body()).isEqualTo(second.body());
        assertThat(Call.header(replay, "Idempotent-Replayed")).isEqualTo("true");
        assertThat(bank.keys()).hasSize(2);
    }

    @Test
    void aMethodThatJoinsATransactionIsRefused() {
        assertThatThrownBy(() -> payments.join("order-17"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@AutoConfigureTestSemel");
        assertThat(bank.keys()).isEmpty();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ImportAutoConfiguration(TestSemelAutoConfiguration.class)
    static class ApplicationWithAStore {
        @Bean
        ClaimStore ownStore() {
            return new MemoryClaimStore();
        }
    }

    @Test
    void aStoreOfTheApplicationIsReplaced() {
        Operation<String> operation = Operation.of("own.store", Codec.text());
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ApplicationWithAStore.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--" + NO_DATA_SOURCE,
                        "--semel.redis.enabled=false",
                        "--spring.flyway.enabled=false",
                        "--logging.level.root=WARN")) {
            TestSemel own = context.getBean(TestSemel.class);
            context.getBean(Semel.class).execute(operation, operation.key("acme", "k"), run -> "once");

            assertThat(own.stored(operation.key("acme", "k"))).isPresent();
            assertThat(own.history()).ranOnce();
            assertThat(semel.history()).as("of another application").neverRan();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TestSemelCases, forgetCharges",
        "TestSemelCases, aSecondClickReceivesTheSameReceipt",
        "TestSemelCases, afterACrashTheBankReceivesTheSameKey",
        "CardPayments, charge"
    })
    void theDocumentShowsThisMethod(String type, String method) throws IOException {
        String source = Files.readString(Path.of("../cases/src/main/java/dev/semel/spring/cases/" + type + ".java"));
        Matcher found = Pattern.compile("(?ms)^    @[^\\n]*\\n    [\\w ]+ " + method + "\\(.*?^    }\\n")
                .matcher(source);
        assertThat(found.find()).isTrue();

        assertThat(Files.readString(Path.of("../../docs/testing.md"))).contains(found.group());
    }
}
