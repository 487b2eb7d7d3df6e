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

    @Test
    void inAServletTheOrderIsMadeOnce() {
        assertThat(printedBy(OnceInServlet::main))
                .containsExactly(
                        "making order 1",
                        "201, Location: /orders/1, replayed: false, {\"order\":1}",
                        "201, Location: /orders/1, replayed: true, {\"order\":1}");
    }

    @Test
    void equalPromptsArePaidOnce() {
        assertThat(printedBy(OnceForAi::main))
                .containsExactly(
                        "AI call, 0.10 USD: Make it bolder",
                        "Succeeded[data=A bolder text for: Make it bolder, cached=false, note=null]",
                        "Succeeded[data=A bolder text for: Make it bolder, cached=true, note=null]",
                        "AI call, 0.10 USD: Make it shorter",
                        "Succeeded[data=A bolder text for: Make it shorter, cached=false, note=null]");
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

    private static String[] printedBy(Program program) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            program.start(new String[0]);
        } catch (Exception e) {
            throw new AssertionError("The example failed", e);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toArray(String[]::new);
    }

    private interface Program {
        void start(String[] arguments) throws Exception;
    }
}
