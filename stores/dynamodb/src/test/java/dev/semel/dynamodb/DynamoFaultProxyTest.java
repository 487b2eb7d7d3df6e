// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.read;
import static dev.semel.dynamodb.Claimed.refused;
import static dev.semel.dynamodb.Claimed.verdict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DynamoFault;
import dev.semel.testservers.DynamoFaultProxy;
import dev.semel.testservers.DynamoServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What the service does and DynamoDB Local does not: on the wire, with the SDK's real client. */
class DynamoFaultProxyTest {
    private static final String TABLE = "faults";
    private static final Duration LONG = Duration.ofMinutes(5);

    private DynamoFaultProxy service;
    private DynamoDbAsyncClient client;
    private DynamoDbAsyncClient directly;
    private DynamoClaimStore store;
    private DynamoClaimStore other;

    @BeforeEach
    void open() throws IOException {
        service = new DynamoFaultProxy(DynamoServer.shared().port(), Duration.ZERO);
        client = DynamoAccess.client(service.endpoint(), 1);
        directly = DynamoAccess.client();
        other = DynamoClaimStore.creating(directly, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
        store = DynamoClaimStore.on(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        directly.close();
        service.close();
    }

    private void always(DynamoFault fault) {
        service.inject(fault, 100, LONG);
    }

    private StoreException errored(DynamoClaimStore by, Command command) {
        return assertInstanceOf(Verdict.Errored.class, verdict(by, command)).cause();
    }

    @ParameterizedTest
    @EnumSource(names = {"THROTTLED", "CONFLICT", "ERROR_BEFORE"})
    void whatIsRefusedHasNoEffectAndIsSentAgain(DynamoFault fault) {
        Command.Insert insert = Commands.insert(newRef());
        Command.Insert aliased = Commands.insert(newRef(), List.of(newRef()));
        Kind kind = fault == DynamoFault.ERROR_BEFORE ? Kind.UNREACHABLE : Kind.BUSY;
        always(fault);

        assertThat(errored(store, insert).kind()).isEqualTo(kind);
        assertThat(errored(store, aliased).kind()).isEqualTo(kind);

        assertThat(other.read(List.of(insert.ref(), aliased.ref()))).isEmpty();
        service.heal();
        applied(store, insert);
        applied(store, aliased);
        assertThat(service.struck(fault)).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"ERROR_AFTER", "NO_ANSWER"})
    void whatTookEffectWithoutAnAnswerIsRecognizedWhenItIsSentAgain(DynamoFault fault) {
        DynamoClaimStore hasty = store.withRequestTimeout(Duration.ofSeconds(3));
        Command.Insert insert = Commands.insert(newRef());
        always(fault);

        assertThat(errored(hasty, insert).kind()).isEqualTo(Kind.UNREACHABLE);

        assertThat(read(other, insert.ref()).token()).isEqualTo(insert.token());
        service.heal();
        applied(store, insert);
        assertThat(service.struck(fault)).isPositive();
    }

    @Test
    void requestsThatArriveTwiceAreOneCommand() {
        always(DynamoFault.TWICE);
        for (int i = 0; i < 12; i++) {
            Command.Insert insert = Commands.insert(newRef(), i % 2 == 0 ? List.of() : List.of(newRef()));
            applied(store, insert);
            applied(store, new Command.Renew(insert.ref(), insert.token(), LONG));
            Command.GiveBack back = new Command.GiveBack(insert.ref(), insert.token(), OwnerToken.random(), null);
            applied(store, back);
            Command.TakeOver takeOver = Commands.takeOver(read(store, insert.ref()));
            assertThat(applied(store, takeOver).attempt()).isEqualTo(1);
            StoredResult result = new StoredResult("a/b", new byte[i % 3 == 0 ? DynamoChunks.SIZE + 1 : i]);
            applied(store, new Command.Settle(insert.ref(), takeOver.token(), Status.SUCCEEDED, result, null));
            assertThat(read(other, insert.ref()).result()).isEqualTo(result);
        }
        assertThat(service.struck(DynamoFault.TWICE)).isGreaterThan(50);
    }

    /** Not one of many wrong dates makes a lease look as if it were over. */
    @Test
    void wrongDatesEndNoLease() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        always(DynamoFault.WRONG_DATE);

        for (int i = 0; i < 200; i++) {
            Snapshot seen = read(store, insert.ref());
            assertThat(seen.lapsed()).isFalse();
            assertThat(refused(store, Commands.takeOver(seen)).token()).isEqualTo(insert.token());
        }
        assertThat(service.struck(DynamoFault.WRONG_DATE)).isGreaterThan(200);
    }

    @Test
    void answersThatComeLateAreAnswers() {
        always(DynamoFault.SLOW);

        assertThat(applied(store, Commands.insert(newRef())).attempt()).isEqualTo(1);
    }

    /** The clock of this machine and those of both front ends have nothing in common. */
    @Test
    void aServiceWhoseClockIsHoursWrongIsConsistentWithItself() throws IOException {
        try (DynamoFaultProxy early = new DynamoFaultProxy(DynamoServer.shared().port(), Duration.ofHours(-300));
                DynamoDbAsyncClient there = DynamoAccess.client(early.endpoint(), 1)) {
            DynamoClaimStore past = DynamoClaimStore.on(there, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
            Command.Insert insert = Commands.insert(newRef());
            assertThat(applied(past, insert).leaseLeft()).isPositive();
            Snapshot seen = read(past, insert.ref());

            assertThat(seen.lapsed()).isFalse();
            assertThat(refused(past, Commands.takeOver(seen)).token()).isEqualTo(insert.token());
            DynamoAccess.age(there, TABLE, insert.ref(), Duration.ofHours(1));
            applied(past, Commands.takeOver(seen));
        }
    }
}
