// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.opentest4j.TestAbortedException;

/** The databases of {@link EachDatabase}. A test of which none is selected is reported as skipped. */
final class TestedDatabases implements ArgumentsProvider, AnnotationConsumer<EachDatabase> {
    private List<DatabaseKind> except = List.of();

    @Override
    public void accept(EachDatabase annotation) {
        except = List.of(annotation.except());
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        List<DatabaseKind> kinds = DatabaseKind.tested().stream()
                .filter(kind -> !except.contains(kind))
                .toList();
        if (kinds.isEmpty()) {
            throw new TestAbortedException("This test runs on none of the selected databases");
        }
        return kinds.stream().map(Arguments::of);
    }
}
