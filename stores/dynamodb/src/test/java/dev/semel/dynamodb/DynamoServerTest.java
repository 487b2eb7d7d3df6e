// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.read;
import static dev.semel.dynamodb.Claimed.verdict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DynamoServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

class DynamoServerTest {
    /** The server's own program would listen on every address. */
    @Test
    void theServerListensOnOneAddressOnly() throws IOException {
        int port = DynamoServer.shared().port();

        new Socket(InetAddress.getByName("127.0.0.1"), port).close();
        assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.2"), port))
                .isInstanceOf(IOException.class);
    }

    @Test
    void whatWasAcknowledgedIsKeptWhenTheServerIsKilled() {
        try (DynamoServer server = DynamoServer.start();
                DynamoDbAsyncClient client = DynamoAccess.client(server.endpoint())) {
            DynamoClaimStore store = DynamoClaimStore.creating(client).withRequestTimeout(DynamoAccess.PATIENT);
            Command.Insert insert = Commands.insert(newRef());
            applied(store, insert);
            Command.Settle settle =
                    new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, Commands.text("kept"), null);
            applied(store, settle);
            Command.Insert next = Commands.insert(newRef());

            server.kill();
            Verdict.Errored errored = assertInstanceOf(Verdict.Errored.class, verdict(store, next));
            assertThat(errored.cause().kind()).isEqualTo(StoreException.Kind.UNREACHABLE);
            server.restart();

            assertThat(read(store, insert.ref()).result()).isEqualTo(settle.result());
            applied(store, settle);
            applied(store, next);
        }
    }
}
