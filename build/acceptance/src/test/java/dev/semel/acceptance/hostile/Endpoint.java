// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * The endpoint of a hostile request, and a valid body for it.
 *
 * @param valid a body that the server accepts
 * @param texts pointers, such as "event/org_id", to members that are required and must be text of limited length
 * @param optional members that may be missing, and values that are invalid for them
 */
public record Endpoint(String path, String valid, List<String> texts, Map<String, List<String>> optional) {
    private static final List<String> BAD_SECONDS = List.of("0", "-1", "1.5", "\"60\"", "1e30", "true", "[]", "{}");

    /** The tenant of all cases. Nothing may be stored for it. */
    public static final String TENANT = "hostile-tenant";

    public static final String SITE = "hostile-site";

    /** All endpoints that take one JSON document. */
    public static List<Endpoint> all() {
        return List.of(
                new Endpoint(
                        "/api/ledger/ingest",
                        """
                        {"idempotency_key":"hostile-key","event":{"org_id":"hostile-tenant","event_type":"t","payload":1}}""",
                        List.of("idempotency_key", "event/org_id", "event/event_type"),
                        Map.of("event", List.of("1", "\"x\"", "[]", "null", "true"))),
                new Endpoint("/api/call-event", """
                        {"site_id":"hostile-site","caller":"c"}""", List.of("site_id"), Map.of()),
                new Endpoint(
                        "/v1/claims",
                        """
                        {"scope":"s","key":"hostile-key"}""",
                        List.of("scope", "key"),
                        Map.of(
                                "lease_seconds",
                                BAD_SECONDS,
                                "ttl_seconds",
                                BAD_SECONDS,
                                "wait_ms",
                                List.of("-1", "0.5", "\"1\"", "1e30", "true", "[]"),
                                "on_stale",
                                List.of("\"maybe\"", "1", "[]", "\"\"", "\"RERUN \""),
                                "fingerprint",
                                List.of("[]", "1", "true", "{}"),
                                "inputs",
                                List.of("1", "{}"),
                                "store",
                                List.of("1", "[]", "null", "\"\"", "\"SEALED\"", "\"exact\""),
                                "also_known_as",
                                List.of(
                                        "1",
                                        "{}",
                                        "null",
                                        "\"a\"",
                                        "[1]",
                                        "[\"\"]",
                                        "[\"hostile-key\"]",
                                        "[\"a\",\"a\"]"),
                                "unknown",
                                List.of("1"))),
                new Endpoint(
                        "/v1/claims/batch",
                        """
                        {"claims":[{"scope":"s","key":"hostile-key"}]}""",
                        List.of(),
                        Map.of("claims", List.of("1", "{}", "\"x\"", "null", "[]", "true"))),
                new Endpoint("/v1/steps", """
                        {"workflow_run_id":"hostile-run","step_key":"s","input":1}""", List.of("workflow_run_id", "step_key"), Map.of()),
                new Endpoint("/v1/payments/confirmations", """
                        {"provider":"momo","provider_tx_id":"hostile-tx"}""", List.of("provider", "provider_tx_id"), Map.of()),
                new Endpoint(
                        "/v1/payments/requests",
                        """
                        {"provider":"momo","order_id":"hostile-order","amount":"10","phone":"+16502530000"}""",
                        List.of("provider", "order_id", "phone"),
                        Map.of(
                                "amount",
                                List.of(
                                        "null",
                                        "true",
                                        "[]",
                                        "{}",
                                        "\"\"",
                                        "\"ten\"",
                                        "\"1,5,0\"",
                                        "\"NaN\"",
                                        "\"1e\"",
                                        "\"Infinity\"",
                                        "\"0x10\""))));
    }

    JsonObject body() {
        return new JsonObject(valid);
    }

    Raw post() {
        return Raw.request("POST", path).header("X-Organization-Id", TENANT);
    }

    @Override
    public String toString() {
        return path;
    }
}
