// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Sends call events. */
final class Calls {
    static final String EVENT = "/api/call-event";
    static final String CALLS = "/api/calls";

    private Calls() {}

    /** A unique body. */
    static String body(String site) {
        return new JsonObject()
                .put("site_id", site)
                .put("caller", Marks.text("caller"))
                .put("duration", 42)
                .encode();
    }

    static long now() {
        return System.currentTimeMillis() / 1000;
    }

    static String sign(String secret, long timestamp, String body) {
        return hmac(secret, timestamp + "." + body);
    }

    static String hmac(String secret, String content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] signed = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
            return Marks.keepOutOfLogs(HexFormat.of().formatHex(signed));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static Ask signed(Configuration.Site site, String body) {
        return signed(site, now(), body);
    }

    static Ask signed(Configuration.Site site, long timestamp, String body) {
        return unsigned(body)
                .header("x-ops-timestamp", "" + timestamp)
                .header("x-ops-signature", sign(site.secret(), timestamp, body));
    }

    static Ask unsigned(String body) {
        return Ask.post(EVENT).json(body);
    }

    /** The calls of a site, as the server lists them. */
    static List<JsonObject> of(Caller caller, String site) {
        return Page.of(caller.get(CALLS + "?site_id=" + site)).items();
    }
}
