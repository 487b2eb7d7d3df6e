// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that claims, has effects and settles as fast as it can until it is killed. Its effects and what was settled are lines on
 * stdout.
 */
final class DynamoClaimingProcess {
    static final Operation<String> OPERATION = Operation.of("crash", Codec.text());
    static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    static final String TABLE = "owners";
    static final String EFFECT = "EFFECT ";
    static final String HELD = "held";
    static final String DONE = "DONE ";

    private static final int THREADS = 4;

    private DynamoClaimingProcess() {}

    /** The argument is the address of DynamoDB Local. */
    public static void main(String[] arguments) {
        DynamoClaimStore store = DynamoClaimStore.on(DynamoAccess.client(URI.create(arguments[0])), TABLE);
        Semel semel = Semel.on(store).secrets(Secrets.of(SECRET)).withoutSweep().build();
        AtomicInteger next = new AtomicInteger();
        for (int thread = 0; thread < THREADS; thread++) {
            new Thread(() -> claimForever(semel, next)).start();
        }
        new Thread(() -> hold(semel)).start();
    }

    /** Its work never ends. */
    private static void hold(Semel semel) {
        semel.execute(OPERATION, OPERATION.key("acme", HELD), run -> {
            System.out.println(EFFECT + HELD + " " + run.childKey("effect"));
            new CountDownLatch(1).await();
            return "";
        });
    }

    private static void claimForever(Semel semel, AtomicInteger next) {
        while (true) {
            String key = "key-" + next.getAndIncrement();
            Outcome<String> outcome = semel.execute(OPERATION, OPERATION.key("acme", key), run -> {
                System.out.println(EFFECT + key + " " + run.childKey("effect"));
                return "done " + key;
            });
            if (outcome instanceof Outcome.Succeeded<String>) {
                System.out.println(DONE + key);
            }
        }
    }
}
