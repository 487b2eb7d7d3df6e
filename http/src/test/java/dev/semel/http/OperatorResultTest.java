// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.Body;
import dev.semel.payload.Keep;
import dev.semel.payload.StoredForms;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.seal.Sealer;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The result that an operator gave is replayed, also after the secret was replaced. */
class OperatorResultTest {
    private static final Secret OLD = Secret.of("the old secret of this test, for tests only");
    private static final Secret NEW = Secret.of("the new secret of this test, for tests only");
    private static final byte[] RESULT = "{\"order\":7}".getBytes(StandardCharsets.UTF_8);
    private static final ApiRules RULES =
            ApiRules.of("/orders/{id}").withTerms(Terms.DEFAULT.withOnStale(StalePolicy.PARK));

    private final MemoryClaimStore store = new MemoryClaimStore();

    @AutoClose
    private final Semel before = engine(Secrets.of(OLD));

    @AutoClose
    private final Semel after = engine(Secrets.of(NEW, OLD));

    private Semel engine(Secrets secrets) {
        return Semel.on(store).secrets(secrets).withoutSweep().build();
    }

    private static ApiReply send(Semel semel) {
        ApiRequest request = new ApiRequest(
                "POST",
                "/orders/1",
                "",
                "application/json",
                new byte[] {'{', '}'},
                "acme",
                "billing",
                "",
                Optional.of("k-1"),
                List.of());
        return new ApiGate(semel).run(RULES, request, attempt -> new ApiResult.Lost(ApiAnswer.empty(504)));
    }

    private static StoredResult stored(boolean sealed, ClaimRef ref) {
        return sealed
                ? new StoredForms(Redaction.DEFAULT, new Sealer(Secrets.of(OLD)))
                        .write(Keep.SEALED, ref, new Body("application/json", RESULT))
                : new StoredResult("application/json", RESULT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isReplayed(boolean sealed) {
        send(before);
        ClaimEntry parked =
                store.page(ClaimBrowser.Query.of("acme", 1)).entries().get(0);
        store.decide(
                new Command.Settle(
                        parked.ref(),
                        store.read(List.of(parked.ref())).get(parked.ref()).token(),
                        Status.SUCCEEDED,
                        stored(sealed, parked.ref()),
                        "seen"),
                HistoryEntry.decision(HistoryEntry.Kind.DECIDED_SUCCEEDED, parked, "ann", "seen"));

        for (Semel engine : List.of(before, after)) {
            ApiAnswer replay = ((ApiReply.Replay) send(engine)).answer().get();
            assertThat(replay.status()).isEqualTo(200);
            assertThat(replay.body()).isEqualTo(RESULT);
            assertThat(replay.header("Content-Type")).contains("application/json");
        }
    }
}
