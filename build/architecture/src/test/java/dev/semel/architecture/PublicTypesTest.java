// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.semel.architecture.controls.ControlPrinting;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The public types of the modules for messages and for Spring. Everything else is package-private. Who adds a public type here
 * promises to keep it.
 */
class PublicTypesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            value = {
                "dev.semel.messaging: BatchFailedAtException BatchMessageHandler ClaimedMessage ConsumerGate"
                        + " ConsumerGateBuilder DeadLetter DeadLetterSink Disposition MessageHandler"
                        + " TransactionalMessageHandler",
                "dev.semel.kafka: GatedConsumer GatedConsumerBuilder RecordKeys",
                "dev.semel.spring.kafka: GatedListeners ListenerRun RedeliverException",
                "dev.semel.spring: CurrentRun CurrentTenant Idempotent InvalidSetupException OperationCustomizer RedisUrl"
                        + " ResultCodecs SemelCustomizer SemelProperties StoreHealth TransactionMode"
                        + " UnresolvedPlaceholders",
                "dev.semel.spring.webhooks: WebhookHandler WebhookProperties",
                "dev.semel.spring.test: AutoConfigureTestSemel TestSemelResetListener",
                "dev.semel.spring.boot3: ''",
                "dev.semel.spring.boot4: ''"
            })
    void thePublicTypesAreTheseOnly(String packageName, String expected) {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(packageName);

        assertThat(classes).as("classes of %s", packageName).isNotEmpty();
        assertThat(String.join(" ", publicTypes(classes, packageName))).isEqualTo(expected);
    }

    @Test
    void theRuleCanFail() {
        JavaClasses control = new ClassFileImporter().importClasses(ControlPrinting.class);

        assertThat(publicTypes(control, ControlPrinting.class.getPackageName())).containsExactly("ControlPrinting");
    }

    /** Auto-configurations are left out: Spring Boot finds them by their names, and nobody else uses them. */
    private static Set<String> publicTypes(JavaClasses classes, String packageName) {
        return classes.stream()
                .filter(type -> type.getPackageName().equals(packageName) && type.isTopLevelClass())
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getSimpleName)
                .filter(name -> !name.endsWith("AutoConfiguration"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
