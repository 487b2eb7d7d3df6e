// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonNumber;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Executes every command, SQL statement and setting of docs/operate.md on a real server. The ids, fences and prefixes of the
 * examples are replaced by real ones.
 */
class RunbookTest {
    private static final Path DOCS = Path.of("..", "docs", "operate.md");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
    private static final String ID = "4f2a9c0d11e3";
    private static final String FENCE = "1794953429682000";
    private static final String LOGGED = "ev_0f3a9c21b47de";

    @TempDir
    Path folder;

    private InProcessServer server;

    /** The id of the parked claim that the commands are about. */
    private String id;

    @Test
    void everyCommandWorksAsWritten() throws Exception {
        List<String> commands =
                blocks("console").stream().flatMap(String::lines).toList();
        assertThat(commands).hasSizeGreaterThan(8).allMatch(line -> line.startsWith("$ "));
        String settings = String.join(
                "",
                blocks("yaml").stream().filter(yaml -> !yaml.startsWith("#")).toList());
        assertThat(settings).contains("alerts:", "cleanup:");
        try (InProcessServer started =
                InProcessServer.in(folder, settings, Map.of("ALERT_SECRET", "0123456789abcdef"))) {
            server = started;
            String logged = server.post("/webhooks/custom", "{\"id\":\"one\"}").header("X-Idempotency-Key");
            for (String command : commands) {
                parked();
                List<String> words = words(command.substring(2)
                        .replace("$ID", id)
                        .replace(ID, id.substring(0, ID.length()))
                        .replace(FENCE, fence())
                        .replace(LOGGED, logged)
                        .replace("$SEMEL", server.uri("").toString()));
                String output = words.get(0).equals("curl") ? curl(words) : semel(words);
                assertThat(output).as(command).contains(expected(command, logged));
            }
        }
    }

    /** What an operator must see. */
    private String expected(String command, String logged) {
        if (command.contains("release")) {
            return "retryable";
        }
        if (command.contains(LOGGED)) {
            return logged.substring(3);
        }
        if (command.contains("trigger")) {
            return "each was processed exactly once";
        }
        if (command.contains("/v1/stream")) {
            return "data: {";
        }
        if (command.contains("cleanup")) {
            return "0";
        }
        // No claim is an hour old.
        return command.contains("min_age_seconds") ? "\"keys\":[]" : id;
    }

    @Test
    void everyStatementIsAcceptedBySqlite() throws Exception {
        InProcessServer.in(folder).close();
        try (Connection connection = DriverManager.getConnection(
                "jdbc:sqlite:" + folder.resolve("data").resolve("semel.db"))) {
            everyStatementIsAcceptedOn(connection);
        }
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void everyStatementIsAccepted(DatabaseKind kind) throws Exception {
        DatabaseServer database = kind.sharedServer();
        String url = database.createDatabase("runbook");
        Map<String, String> environment = Map.of(
                "SEMEL_DATABASE_URL",
                url,
                "SEMEL_DATABASE_USER",
                database.user(),
                "SEMEL_DATABASE_PASSWORD",
                database.password());
        InProcessServer.in(folder, "", environment).close();
        try (Connection connection = DriverManager.getConnection(url, database.user(), database.password())) {
            everyStatementIsAcceptedOn(connection);
        }
    }

    private static void everyStatementIsAcceptedOn(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            List<String> statements = blocks("sql").stream()
                    .flatMap(block -> Pattern.compile(";").splitAsStream(block.strip()))
                    .toList();
            assertThat(statements).isNotEmpty();
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static List<String> blocks(String language) throws IOException {
        Matcher blocks = Pattern.compile("```%s\\n(.*?)```".formatted(language), Pattern.DOTALL)
                .matcher(Files.readString(DOCS, StandardCharsets.UTF_8));
        List<String> all = new ArrayList<>();
        while (blocks.find()) {
            all.add(blocks.group(1));
        }
        return all;
    }

    /** Words as a shell makes them. */
    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            String quoted = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            words.add(quoted == null ? matcher.group(3) : quoted);
        }
        return words;
    }

    /** A claim that waits for a decision, also after one was made. */
    private void parked() {
        Reply claimed = server.post("/v1/claims", "{\"scope\":\"card.charge\",\"key\":\"order-17\"}");
        if (claimed.status() == 201) {
            id = claimed.text("claim_id");
            String body = "{\"token\":\"%s\",\"reason\":\"no answer\"}".formatted(claimed.text("token"));
            assertThat(server.post("/v1/claims/" + id + "/park", body).status()).isEqualTo(200);
        }
    }

    private String fence() {
        return ((JsonNumber) server.get("/v1/keys/" + id).member("fence")).text();
    }

    private String curl(List<String> words) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder();
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-s", "-sN" -> {}
                case "-H" -> {
                    String[] header = words.get(++i).split(": ", 2);
                    request.header(header[0], header[1]);
                }
                case "-d" -> request.POST(HttpRequest.BodyPublishers.ofString(words.get(++i)));
                default -> request.uri(URI.create(prefixed(words.get(i))));
            }
        }
        HttpResponse<InputStream> response =
                server.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            // A stream does not end: its first event is enough.
            byte[] bytes = words.contains("-sN") ? body.readNBytes(200) : body.readAllBytes();
            String text = new String(bytes, StandardCharsets.UTF_8);
            assertThat(response.statusCode()).as("%s: %s", words, text).isEqualTo(200);
            return text;
        }
    }

    /** The example has more digits of the id than the others. */
    private String prefixed(String uri) {
        return uri.replaceFirst(
                "prefix=" + id.substring(0, ID.length()) + "[0-9a-f]*", "prefix=" + id.substring(0, 16));
    }

    private String semel(List<String> words) {
        assertThat(words.get(0)).isEqualTo("./semel");
        List<String> arguments = new ArrayList<>(words.subList(1, words.size()));
        int data = arguments.indexOf("--data-dir");
        if (data >= 0) {
            arguments.set(data + 1, folder.resolve("data").toString());
        } else {
            arguments.addAll(List.of("--url", server.uri("").toString()));
        }
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        assertThat(run.exit()).as("%s: %s", words, run.err()).isZero();
        return run.out();
    }
}
