// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.operations.Inputs;
import dev.semel.operations.JsonForm;
import dev.semel.operations.OperationRequest;
import dev.semel.operations.OperationResult;
import dev.semel.operations.OperationRules;
import dev.semel.operations.Operations;
import dev.semel.payload.Keep;
import dev.semel.payload.json.JsonString;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks an AI service for a text. A repeated click, also with other white space, gets the first answer and costs nothing. */
public final class OnceForAi {
    private static final JsonForm<String> TEXT = JsonForm.of(JsonString::new, json -> ((JsonString) json).value());

    private OnceForAi() {}

    public static void main(String[] arguments) throws Exception {
        Secrets secrets = Secrets.of("change-me: at least 32 random bytes");
        try (FakeAi ai = FakeAi.start();
                Semel semel = Semel.on(new MemoryClaimStore()).secrets(secrets).build()) {
            Operations operations = Operations.on(semel);
            for (String typed : new String[] {"Make it bolder", "  Make it  bolder ", "Make it shorter"}) {
                System.out.println(propose(operations, ai.uri(), typed));
            }
        }
    }

    private static OperationResult<String> propose(Operations operations, URI ai, String typed) {
        OperationRequest request = OperationRequest.of(
                        "acme",
                        "ai.proposeCopy",
                        Inputs.none().and("intakeId", 123).userText(typed))
                // The whole text, encrypted. By default only members that are safe to show are stored.
                .with(OperationRules.OPERATION.keep(Keep.SEALED).ttlHours(24));
        return operations.withIdempotency(request, TEXT, run -> ask(ai, run.childKey("complete"), typed.strip()));
    }

    /** Every attempt sends the same key, for a service that honours it. */
    private static String ask(URI ai, String key, String prompt) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(ai)
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(prompt))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("The AI service answered " + answer.statusCode());
        }
        return answer.body();
    }
}
