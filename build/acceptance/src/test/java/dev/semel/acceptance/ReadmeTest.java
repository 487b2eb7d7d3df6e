// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends the curl commands of README, in order, to a new server, and compares the responses with those of README. */
@BlackBox
class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("```console\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    Path folder;

    @Test
    void everyCommandIsAnsweredAsShown() throws IOException {
        List<Shown> all = shown();
        assertThat(all).hasSizeGreaterThan(8);
        try (SemelProcess server = SemelProcess.start(Launch.in(folder.resolve("data")))) {
            for (Shown one : all) {
                Answer answer =
                        Client.exchange(server.uri().resolve(one.ask().path()).toString(), one.ask());
                assertThat(one.lines()).as(one.command()).isNotEmpty();
                for (String line : one.lines()) {
                    assertThat(holds(line, answer))
                            .as("%s%nshows: %s%nbut the answer is: %s", one.command(), line, answer)
                            .isTrue();
                }
            }
        }
    }

    private static boolean holds(String line, Answer answer) {
        if (line.startsWith("HTTP/1.1 ")) {
            return answer.status() == Integer.parseInt(line.split(" ", -1)[1]);
        }
        if (line.startsWith("{")) {
            String pattern = Pattern.quote(line).replace("…", "\\E[^\",}]+\\Q");
            return answer.text().strip().matches(pattern);
        }
        String[] header = line.split(": ", 2);
        return answer.header(header[0]).equals(header[1]);
    }

    private static List<Shown> shown() throws IOException {
        String readme = Files.readString(Path.of("..", "..", "README.md"), StandardCharsets.UTF_8);
        List<Shown> all = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(readme);
        while (blocks.find()) {
            Iterator<String> lines =
                    blocks.group(1).replace("\\\n", " ").lines().iterator();
            Shown last = null;
            while (lines.hasNext()) {
                String line = lines.next();
                if (line.startsWith("$ curl ")) {
                    last = Shown.of(line.substring(2));
                    all.add(last);
                } else if (line.startsWith("$ ")) {
                    last = null;
                } else if (last != null) {
                    last.lines().add(line);
                }
            }
        }
        return all;
    }

    /** A command, its request, and the shown lines of the response. */
    private record Shown(String command, Ask ask, List<String> lines) {
        static Shown of(String command) {
            List<String> words = new ArrayList<>();
            Matcher matcher = WORD.matcher(command);
            while (matcher.find()) {
                words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
            }
            Ask ask = Ask.get("/");
            for (int i = 1; i < words.size(); i++) {
                String word = words.get(i);
                if (word.startsWith("http://127.0.0.1:8080")) {
                    URI uri = URI.create(word);
                    ask = new Ask(ask.method(), uri.getPath(), ask.headers(), ask.body());
                } else if (word.equals("-H")) {
                    String[] header = words.get(++i).split(": ", 2);
                    ask = ask.header(header[0], header[1]);
                } else if (word.equals("-d")) {
                    ask = new Ask(
                            "POST", ask.path(), ask.headers(), words.get(++i).getBytes(StandardCharsets.UTF_8));
                } else {
                    assertThat(word)
                            .as("an option of curl that this test knows")
                            .isIn("-s", "-i");
                }
            }
            return new Shown(command, ask, new ArrayList<>());
        }
    }
}
