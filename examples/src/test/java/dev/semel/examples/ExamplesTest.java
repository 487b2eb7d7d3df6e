// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    @Test
    void inMemoryTheCardIsChargedOnce() {
        assertThat(printedBy(OnceInMemory::main))
                .containsExactly(
                        "charging the card",
                        "Succeeded[value=receipt 4711, replayed=false]",
                        "Succeeded[value=receipt 4711, replayed=true]");
    }

    @Test
    void inSqliteTheCardIsChargedOnceOverRestarts(@TempDir Path folder) {
        String[] file = {folder.resolve("claims.db").toString()};

        assertThat(printedBy(nothing -> OnceInSqlite.main(file)))
                .containsExactly("charging the card", "Succeeded[value=receipt 4711, replayed=false]");
        assertThat(printedBy(nothing -> OnceInSqlite.main(file)))
                .containsExactly("Succeeded[value=receipt 4711, replayed=true]");
    }

    @Test
    void inATransactionTheEntryIsWrittenOnceOverRestarts(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("claims.db");

        assertThat(printedBy(nothing -> OnceInTransaction.main(new String[] {file.toString()})))
                .containsExactly("writing the entry", "Succeeded[value=entry 4711, replayed=false]");
        assertThat(printedBy(nothing -> OnceInTransaction.main(new String[] {file.toString()})))
                .containsExactly("Succeeded[value=entry 4711, replayed=true]");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                ResultSet rows = connection.createStatement().executeQuery("SELECT count(*) FROM ledger")) {
            assertThat(rows.getInt(1)).isEqualTo(1);
        }
    }

    /** The README contains exactly the programs that are compiled and run here. */
    @ParameterizedTest
    @ValueSource(strings = {"OnceInMemory", "OnceInSqlite", "OnceInTransaction"})
    void theReadmeShowsThisProgram(String name) throws Exception {
        String source = Files.readString(Path.of("src/main/java/dev/semel/examples/" + name + ".java"));
        String body = source.substring(source.indexOf("    public static void main"))
                .lines()
                .map(line -> line.startsWith("    ") ? line.substring(4) : line)
                .filter(line -> !line.equals("}") || !line.isEmpty())
                .reduce("", (all, line) -> all + line + "\n");
        String method = body.substring(0, body.indexOf("\n}\n") + 3);

        assertThat(Files.readString(Path.of("../README.md"))).contains(method);
    }

    private static String[] printedBy(Consumer<String[]> main) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            main.accept(new String[0]);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toArray(String[]::new);
    }
}
