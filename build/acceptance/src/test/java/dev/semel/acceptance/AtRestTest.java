// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Private data must not be on the disk in clear text. */
@BlackBox
class AtRestTest {
    @Test
    void keepsNoTextOfUsersNoTokensAndNothingOfWebhooksInClear() throws IOException {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.development())) {
            Caller caller = server.caller();
            String text = Marks.text("text");
            String prompt = Marks.text("prompt");
            String kept = Marks.text("trace");
            JsonObject body = new JsonObject()
                    .put("scope", "copy")
                    .put("inputs", new JsonObject().put("id", Marks.unique()))
                    .put("user_text", text);
            JsonObject claim = Claims.granted(caller, body);
            Claims.succeed(caller, claim, new JsonObject().put("traceId", kept).put("prompt", prompt));
            String sealed = Marks.text("sealed");
            JsonObject whole = new JsonObject().put("note", sealed);
            JsonObject byKey = Claims.fresh();
            JsonObject byInputs =
                    body.copy().put("user_text", Marks.text("other")).put("store", "sealed");
            JsonObject unkept = Claims.fresh().put("store", "none");
            for (JsonObject one : List.of(byKey, byInputs, unkept)) {
                Claims.succeed(caller, Claims.granted(caller, one), whole);
            }
            String redacted = Marks.text("password");
            JsonObject sanitised = Claims.fresh().put("store", "sanitised");
            String shown = Marks.name("shown");
            Claims.succeed(
                    caller,
                    Claims.granted(caller, sanitised),
                    new JsonObject().put("shown", shown).put("password", redacted));
            String id = Marks.text("event");
            String content = Marks.text("content");
            String signature = Marks.text("signature");
            String type = Marks.name("type");
            Ask delivery = Webhooks.to(
                            caller,
                            "custom",
                            new JsonObject().put("id", id).put("type", type).put("content", content))
                    .header("X-Signature", signature);
            assertThat(Webhooks.status(caller.send(delivery))).isEqualTo("processed");
            assertThat(server.process().terminate()).isZero();

            String disk = everything(server.data());

            assertThat(disk)
                    .as("the search finds text that is stored")
                    .contains(kept)
                    .contains(type)
                    .contains(shown);
            assertThat(disk)
                    .doesNotContain(text)
                    .doesNotContain(prompt)
                    .doesNotContain(sealed)
                    .doesNotContain(redacted)
                    .doesNotContain(id)
                    .doesNotContain(content)
                    .doesNotContain(signature);
        }
    }

    private static String everything(Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> regular = files.filter(Files::isRegularFile).toList();
            for (Path file : regular) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }
}
