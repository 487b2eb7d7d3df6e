// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import java.util.List;
import java.util.Random;

/** What a shop does to a server, so that there is something to see. */
final class Traffic {
    private static final List<String> SCOPES =
            List.of("card.charge", "invoice.send", "order.create", "shipment.book", "ai.proposeCopy");
    private static final int BATCH = 1_000;

    private Traffic() {}

    /** Claims many keys, without settling them. */
    static void manyKeys(ApiCaller api, int keys) {
        for (int from = 0; from < keys; from += BATCH) {
            StringBuilder claims = new StringBuilder("{\"claims\":[");
            for (int i = from; i < from + BATCH; i++) {
                claims.append(i == from ? "" : ",")
                        .append("{\"scope\":\"%s\",\"key\":\"import-%d\"}".formatted(SCOPES.get(i % SCOPES.size()), i));
            }
            int status =
                    api.post("/v1/claims/batch", claims.append("]}").toString()).status();
            if (status != 200) {
                throw new AssertionError("The batch was answered with " + status);
            }
        }
    }

    /** Orders that succeed, fail, are sent again and get stuck; webhooks; ledger and call events. */
    static void ofEverything(ApiCaller api, int orders) {
        Random random = new Random(7);
        for (int i = 0; i < orders; i++) {
            String scope = SCOPES.get(random.nextInt(SCOPES.size()));
            String key = "order-" + (1_000 + i);
            switch (random.nextInt(24)) {
                case 0 -> api.parked(scope, key, "The bank did not answer in time");
                case 1 -> api.failed(scope, key, true);
                case 2 -> api.failed(scope, key, false);
                case 3 -> api.claim(scope, key, ",\"lease_seconds\":%d".formatted(5 + random.nextInt(60)));
                default ->
                    api.succeeded(
                            scope,
                            key,
                            "{\"receipt\":\"R-%d\",\"amount\":%d.50,\"currency\":\"EUR\",\"email\":\"ann@example.com\"}"
                                    .formatted(4_700 + i, 10 + random.nextInt(90)));
            }
            for (int again = random.nextInt(5); again > 0; again--) {
                api.claim(scope, key, random.nextInt(30) == 0 ? ",\"fingerprint\":\"other\"" : "");
            }
            if (i % 4 == 0) {
                webhook(api, random, i);
                records(api, i);
            }
        }
    }

    private static void webhook(ApiCaller api, Random random, int number) {
        String event =
                "{\"id\":\"WH-%d\",\"event_type\":\"PAYMENT.CAPTURE.COMPLETED\",\"resource\":{\"id\":\"2GG%d\",\"amount\":"
                        .formatted(number, number);
        api.post("/webhooks/paypal", event + "\"12.50\"}}");
        if (random.nextBoolean()) {
            api.post("/webhooks/paypal", event + "\"12.50\"}}");
        }
        api.post(
                "/webhooks/stripe",
                "{\"id\":\"evt_%d\",\"type\":\"invoice.paid\",\"data\":{\"object\":{\"id\":\"in_%d\"}}}"
                        .formatted(number, number));
        if (number % 12 == 0) {
            api.post("/webhooks/shopify", "{\"id\":1}");
        }
    }

    private static void records(ApiCaller api, int number) {
        api.post(
                "/api/ledger/ingest",
                ("{\"idempotency_key\":\"sync-7:invoice-%d\",\"event\":{\"org_id\":\"default\",\"event_type\":\"invoice.paid\","
                                + "\"entity_type\":\"invoice\",\"entity_id\":\"%d\",\"actor_id\":\"billing\",\"payload\":{\"amount\":%d}}}")
                        .formatted(number, number, 100 + number));
        api.post("/api/call-event", "{\"site_id\":\"default\",\"caller\":\"desk %d\"}".formatted(number));
    }
}
