// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.semel.architecture.controls.ControlPrinting;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.semel");

    private static final ArchRule NO_CYCLES =
            slices().matching("dev.semel.(**)").should().beFreeOfCycles();

    @ParameterizedTest
    @EnumSource
    void everyRuleHolds(Rule rule) {
        rule.rule.check(OURS);
    }

    @ParameterizedTest
    @EnumSource
    void everyRuleCanFail(Rule rule) {
        JavaClasses control = new ClassFileImporter().importClasses(rule.control);

        assertThat(rule.rule.evaluate(control).hasViolation()).isTrue();
    }

    /** Row 8 of docs/failures.md: the clocks of application servers may differ, because they are not used. */
    @Test
    void row08_onlyTheStoresClockDecides() {
        Rule.ONLY_THE_STORES_CLOCK_DECIDES.rule.check(OURS);
    }

    @Test
    void packagesHaveNoCycles() {
        NO_CYCLES.check(OURS);
    }

    @Test
    void theCycleRuleCanFail() {
        JavaClasses cycle = new ClassFileImporter().importPackages("dev.semel.architecture.controls.cycle");

        assertThat(NO_CYCLES.evaluate(cycle).hasViolation()).isTrue();
    }

    @Test
    void everyPackageSaysWhatMayBeNull() {
        assertThat(notNullMarked(OURS)).isEmpty();
    }

    @Test
    void theNullnessRuleCanFail() {
        assertThat(notNullMarked(new ClassFileImporter().importClasses(ControlPrinting.class)))
                .isNotEmpty();
    }

    private static List<String> notNullMarked(JavaClasses classes) {
        Stream<JavaPackage> packages =
                classes.stream().map(type -> type.getPackage()).distinct();
        return packages.filter(one -> !one.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .toList();
    }
}
