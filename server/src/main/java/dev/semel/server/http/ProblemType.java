// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The error types of the API. Each has a stable name and a page that says what to do. */
public enum ProblemType {
    BAD_REQUEST(400, "Bad request", """
            The request is not valid HTTP or is ambiguous: a repeated header that is allowed once, a broken escape in \
            the path, conflicting lengths, a header line that continues on the next line, or more than one space \
            between the words of the request line. Nothing was executed."""),
    INVALID_JSON(400, "Invalid JSON", """
            The body must be one JSON document in UTF-8 without a byte order mark. Duplicate names in one object are \
            rejected, because parsers disagree about them. A document has at most 100,000 values. The detail says what \
            is wrong and at which byte. Nothing was executed."""),
    INVALID_FIELD(400, "Invalid field", """
            The member "field" is a JSON pointer to the invalid value in the body, or the name of a header or query \
            parameter. Correct it and send the request again. Nothing was executed."""),
    WEBHOOK_UNREADABLE(400, "Webhook delivery cannot be read", """
            The body is not in the format of this provider, or it has no key that identifies the event. The detail \
            says what is missing. If the delivery has several events, the others were processed: the member "events" \
            contains the outcome of each."""),
    UNAUTHENTICATED(401, "Authentication required", """
            Send Authorization: Bearer <token> with a token whose SHA-256 is in the server's settings. The server does \
            not store tokens, so a lost token must be replaced."""),
    INVALID_SIGNATURE(401, "Invalid signature", """
            The site must sign the event. x-ops-signature is the hexadecimal HMAC-SHA256, computed with the site's \
            secret, of the value of x-ops-timestamp, a full stop, and the unchanged body. The timestamp may deviate by \
            a few minutes (calls.tolerance_seconds). In production, a site requires a secret in the server's settings. \
            Nothing was stored."""),
    WEBHOOK_REFUSED(401, "Signature verification failed", """
            The signature is missing, malformed or wrong, its timestamp is out of tolerance, or no secret is \
            configured to check it. Set the secret that the provider shows (webhooks.<provider>.secrets, or webhook_id \
            for PayPal, or public_keys), and forward the body unchanged: a proxy that re-encodes it breaks the \
            signature. Square and Twilio also sign the URL: set url to the one that is registered with them. Nothing \
            was processed."""),
    FORBIDDEN(403, "Forbidden", """
            The token is valid, but its role does not allow this request, or it belongs to another tenant. Roles are \
            client (claims and writes), viewer (reads) and operator (everything)."""),
    WEBHOOK_HANDSHAKE_REFUSED(403, "Webhook verification request refused", """
            A provider verifies the URL before it sends events, and its request does not match the settings. Compare \
            webhooks.<provider>.verify_token (WhatsApp) or allowed_origins (CloudEvents) with what is registered \
            there."""),
    NOT_LOCAL(403, "Development mode accepts local requests only", """
            The server runs in development mode, without tokens. To be unreachable for web pages, it accepts only \
            requests whose Host is a loopback name and whose Origin, if present, is its own. For anything else, start \
            it with --production."""),
    NOT_FOUND(404, "Not found", """
            The path does not exist, or no item of that name is visible to you."""),
    METHOD_NOT_ALLOWED(405, "Method not allowed", """
            The Allow header of the response lists the methods of this path."""),
    REQUEST_TIMEOUT(408, "Request timeout", """
            The body must arrive within limits.body_seconds. A connection whose headers do not arrive within \
            limits.headers_seconds is closed without a response. Nothing was executed."""),
    MISMATCH(409, "Idempotency key reused for a different request", """
            The key was used before with another fingerprint. A key identifies one request: use a new key for a new \
            request. Nothing was executed."""),
    OWNERSHIP_LOST(409, "Claim lost", """
            This token does not own the claim any more: the lease expired and another caller took over the claim, or \
            it was settled differently, or the claim does not exist. Nothing was changed. Do not repeat the work: the \
            current owner decides."""),
    EVENT_LOST(409, "Event lost", """
            The lease of the inbox event has ended and another consumer has taken it, or the token never held it. Nothing \
            was changed. Do not repeat the work: the other consumer does it. Take events for longer (lease_seconds), or \
            fewer at once (max)."""),
    EVENT_SEALED(409, "Event cannot be decrypted", """
            The event exists, but the secret that encrypted it is not active any more, or its row was changed. Add the \
            earlier secret to IDEMPOTENCY_PREVIOUS_SECRETS and send the request again. Nothing was processed."""),
    OUTCOME_UNKNOWN(409, "Outcome unknown", """
            The claim was parked, or its owner disappeared under on_stale: park. It is not granted again until an \
            operator decides what happened."""),
    DECIDED_FAILED(409, "Request failed", """
            An earlier request with this key had an unknown outcome, and an operator decided that it failed. It does not \
            run again with this key: send the request with a new one."""),
    KEY_MOVED_ON(409, "Claim has changed", """
            The claim's fence is not the one of the request, or it was settled meanwhile. Nothing was changed. Look at \
            it again (GET /v1/keys/{id}) and decide on what it shows now."""),
    KEY_IN_PROGRESS(409, "Claim in progress", """
            The claim's owner is working on it, so a decision could make the work happen twice. Nothing was changed. \
            Wait until it is settled, or until its lease has ended."""),
    CONTENT_TOO_LARGE(413, "Content too large", """
            The detail says which limit was exceeded. A body has at most limits.body_bytes; a webhook or a ledger \
            event at most 4 MiB, regardless of that setting; a webhook at most 5,000 events. A request that needs more \
            memory than a client can ever have (limits.memory_bytes, limits.address_bytes, half of the first for \
            routes without a token) is refused too: send less at once, or raise them. Nothing was executed."""),
    URI_TOO_LONG(414, "URI too long", """
            The first line of a request is limited by limits.uri_bytes. Nothing was executed."""),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type", """
            Send Content-Type: application/json, in UTF-8 and without Content-Encoding. With curl: -H 'Content-Type: \
            application/json'. Nothing was executed."""),
    EXPECTATION_FAILED(417, "Expectation failed", """
            The server supports only Expect: 100-continue."""),
    TOO_MANY_NEW_KEYS(429, "Too many new keys", """
            The number of new keys per tenant and second is limited (limits.new_keys_per_second, \
            limits.new_keys_at_once). Wait as long as Retry-After says. Nothing was executed."""),
    TOO_MUCH_NEW_DATA(429, "Too much new data", """
            The number of bytes stored per tenant and second is limited (limits.new_bytes_per_second, \
            limits.new_bytes_at_once). Wait as long as Retry-After says and send the same request again. Nothing was \
            stored. If the result of a claim was refused, you own the claim until its lease expires: renew it if the \
            wait is longer, and do not repeat the work."""),
    HEADERS_TOO_LARGE(431, "Headers too large", """
            The total size of the headers is limited by limits.header_bytes, their number by limits.header_lines. \
            Nothing was executed."""),
    IDEMPOTENCY_KEY_MISSING(400, "Idempotency-Key is missing", """
            The route is idempotent and requires the header Idempotency-Key: 1 to 255 visible ASCII characters, a new \
            key for every new operation and the same key for every retry of it. Nothing was executed."""),
    IDEMPOTENCY_KEY_MALFORMED(400, "Idempotency-Key is malformed", """
            A request must have one Idempotency-Key: 1 to 255 visible ASCII characters, bare or in double quotes. The \
            detail says what is wrong. Nothing was executed."""),
    REQUEST_IN_PROGRESS(409, "A request is outstanding for this Idempotency-Key", """
            The first request with this key is still in progress. Send the same request again after Retry-After, or \
            with Prefer: wait=10 to wait for its response. Nothing was executed."""),
    STORED_ANSWER_UNREADABLE(500, "Stored response cannot be decrypted", """
            The request took effect before, but the secret that encrypted its response is not active any more. Add the \
            earlier secret to IDEMPOTENCY_PREVIOUS_SECRETS and send the request again. Nothing was executed again."""),
    NEEDS_SQL(501, "This needs an SQL database", """
            The server keeps its claims in DynamoDB, which has no ledger, no call events and no webhook inbox. Claims, steps, payments, the API door and forwarded webhooks work. For the others, \
            start a server on PostgreSQL, MariaDB, MySQL or SQLite, and for a webhook set its sink to a forward. Nothing was \
            executed."""),
    UPGRADE_REFUSED(501, "Upgrade not supported", """
            The proxy forwards HTTP requests. It does not forward WebSocket and other upgrades, CONNECT and TRACE. \
            Nothing was forwarded."""),
    UPSTREAM_UNREACHABLE(502, "Service unreachable", """
            No target of the route accepts a connection. The request was not sent and its key was released: send the \
            same request again."""),
    UPSTREAM_FAILED(502, "Incomplete response from the service", """
            The request was sent to the route's target, which closed the connection before its response was complete. \
            Whether the request took effect is unknown. Send the same request with the same key again: the target \
            receives the same child key and can detect the duplicate. With on_stale: park, the request is not \
            forwarded again until an operator decides."""),
    UPSTREAM_TIMEOUT(504, "Service timeout", """
            The request was sent to the route's target, which did not respond within timeout_seconds. Whether the \
            request took effect is unknown. Send the same request with the same key again: the target receives the \
            same child key and can detect the duplicate. With on_stale: park, the request is not forwarded again until \
            an operator decides."""),
    INTERNAL(500, "Internal server error", """
            The server failed. Its log contains the cause. Whether the request took effect is unknown: send the same \
            request with the same key again, and it takes effect once."""),
    STORE_UNAVAILABLE(503, "Database unavailable", """
            The database is unavailable or overloaded. If the request was a claim, nothing was executed. If it was a \
            settlement, whether it was written is unknown: send it again with the same token, which is safe. Wait as \
            long as Retry-After says."""),
    WEBHOOK_FAILED(503, "Webhook processing failed", """
            The event's target responded with a status other than 2xx, or not in time; or this delivery waited for \
            another one that failed. The next delivery of the event is processed. Providers resend it automatically."""),
    WEBHOOK_IN_PROGRESS(503, "Webhook event in progress", """
            Another delivery of the same event is still being processed, and the wait of this delivery is over. Send \
            it again after Retry-After to receive the outcome of the first."""),
    WEBHOOK_UNAVAILABLE(503, "Webhook processing unavailable", """
            The database is unavailable or overloaded, or the data to check the signature cannot be loaded now. Send \
            the delivery again, which is safe: processed events are not processed again."""),
    BUSY(503, "Server busy", """
            Other requests hold the memory that this one needs for its body, its parsed values or its response, or all \
            connections to the service behind a route are in use. Wait as long as Retry-After says and send the same \
            request again. If this happens often, send less at once, or raise limits.memory_bytes (all clients) or \
            limits.address_bytes (the clients behind one address). If the response did not fit, the detail says so; \
            otherwise nothing was executed."""),
    SHUTTING_DOWN(503, "Server stopping", """
            The server is stopping and accepts no new requests. Send the request again: to another instance, or to \
            this one after its restart. Nothing was executed.""");

    private final int status;
    private final String title;
    private final String explanation;

    ProblemType(int status, String title, String explanation) {
        this.status = status;
        this.title = title;
        this.explanation = explanation;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** Returns the text of the problem's page. */
    public String explanation() {
        return explanation;
    }

    /** Returns the last segment of the problem's URL. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the problem's URL, relative to the server. */
    public String url() {
        return "/docs/problems/" + slug();
    }

    public static Optional<ProblemType> ofSlug(String slug) {
        return Arrays.stream(values()).filter(type -> type.slug().equals(slug)).findFirst();
    }
}
