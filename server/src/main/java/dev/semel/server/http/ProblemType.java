// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of error there are: stable names, each with a page that says what to do. */
public enum ProblemType {
    BAD_REQUEST(400, "The request is malformed", """
            Something about the request itself is not valid HTTP, or is ambiguous: a repeated header that may stand \
            once, a broken escape in the path, conflicting lengths, a header line that goes on in the next line, more than one \
            space between the words of the request line. Nothing has run."""),
    INVALID_JSON(400, "The body is not valid JSON", """
            The body must be one JSON document in UTF-8 without a byte order mark. A name must not stand twice in one \
            object, because two readers would understand two different things. A document has at most 100,000 values. The detail \
            says what is wrong and at which byte. Nothing has run."""),
    INVALID_FIELD(400, "A field has no valid value", """
            The member "field" is a JSON pointer to what is wrong in the body, or the name of a header or a query \
            parameter. Correct it and send the request again. Nothing has run."""),
    WEBHOOK_UNREADABLE(400, "The delivery cannot be read", """
            The body is not what this provider sends, or there is no key in it by which an event would be recognised when it \
            comes again. The detail says what is missing. Of a delivery with several events the others were processed all \
            the same: the member "events" says what came of each."""),
    UNAUTHENTICATED(401, "A valid token is needed", """
            Send Authorization: Bearer <token>, with a token whose SHA-256 is in the server's settings. Tokens are never \
            stored, so a lost one is replaced, not looked up."""),
    INVALID_SIGNATURE(401, "The signature is not valid", """
            The event must be signed by its site: x-ops-signature is the hexadecimal HMAC-SHA256, by the site's secret, of \
            the value of x-ops-timestamp, a full stop, and the body byte by byte. The timestamp may be a few minutes off \
            (calls.tolerance_seconds). In production a site needs a secret in the server's settings. Nothing was \
            stored."""),
    WEBHOOK_REFUSED(401, "The delivery is not its sender's", """
            The signature is missing, malformed or wrong, its timestamp is out of tolerance, or there is no secret to check \
            it with. Set the secret that the provider shows (webhooks.<provider>.secrets, or webhook_id for PayPal, or \
            public_keys), and hand the body on byte by byte: a proxy that re-encodes it breaks the signature. Square and \
            Twilio sign the address too: set url to the one that is registered with them. Nothing was processed."""),
    FORBIDDEN(403, "This token may not do that", """
            The token is valid, but its role does not allow this, or it belongs to another tenant. Roles are client \
            (claims and writes), viewer (reads) and operator (all)."""),
    WEBHOOK_HANDSHAKE_REFUSED(403, "The provider's question is not answered", """
            A provider asks before it sends events, and what it said is not what was set: compare \
            webhooks.<provider>.verify_token (WhatsApp) or allowed_origins (CloudEvents) with what is registered there."""),
    NOT_LOCAL(403, "In development mode only this machine may ask", """
            The server runs in development mode, without tokens. So that no web page can reach it, it answers only \
            requests whose Host is a loopback name and whose Origin, if there is one, is its own. For anything else, start \
            it with --production."""),
    NOT_FOUND(404, "There is nothing here", """
            No such path, or nothing by that name that you may see."""),
    METHOD_NOT_ALLOWED(405, "This path has other methods", """
            The Allow header of the answer names the methods that this path has."""),
    REQUEST_TIMEOUT(408, "The request took too long to arrive", """
            The body must arrive within limits.body_seconds. A connection whose headers do not arrive within \
            limits.headers_seconds is closed without an answer. Nothing has run."""),
    MISMATCH(409, "The key was used for another request", """
            The same key came with another fingerprint. A key stands for one request: use a new key for a new request. \
            Nothing has run."""),
    OWNERSHIP_LOST(409, "The claim is not yours any more", """
            The claim is not this token's any more: the lease ended and another caller took the claim over, or it was \
            settled differently, or there is no such claim. Nothing was changed. Do not repeat the work: the claim's present \
            owner decides."""),
    EVENT_SEALED(409, "The event cannot be opened", """
            The event is there, but the secret that it was sealed by is not alive any more, or its row was changed. Put the \
            earlier secret into IDEMPOTENCY_PREVIOUS_SECRETS and send the request again. Nothing was processed."""),
    OUTCOME_UNKNOWN(409, "Nobody knows whether it happened", """
            The claim was parked, or its owner vanished under on_stale: park. It is not given out again until a person \
            has decided what happened."""),
    CONTENT_TOO_LARGE(413, "The body is too large", """
            The detail says which bound it is. A body has at most limits.body_bytes; a webhook or a ledger event at most \
            4 MiB, whatever that says; a webhook at most 5,000 events. A request that needs more memory than a client can \
            ever have (limits.memory_bytes, limits.address_bytes, half of the first for routes without a token) is refused \
            too: send less at once, or raise them. Nothing has run."""),
    URI_TOO_LONG(414, "The address is too long", """
            The first line of a request is bounded by limits.uri_bytes. Nothing has run."""),
    UNSUPPORTED_MEDIA_TYPE(415, "The body must be plain JSON", """
            Send Content-Type: application/json, in UTF-8 and without a Content-Encoding. With curl: \
            -H 'Content-Type: application/json'. Nothing has run."""),
    EXPECTATION_FAILED(417, "This expectation cannot be met", """
            The only expectation that is understood is Expect: 100-continue."""),
    TOO_MANY_NEW_KEYS(429, "Too many new keys", """
            A tenant may claim so many new keys a second (limits.new_keys_per_second, limits.new_keys_at_once). Wait as \
            long as Retry-After says. Nothing has run."""),
    TOO_MUCH_NEW_DATA(429, "Too much new data", """
            A tenant may make the server store so many bytes a second (limits.new_bytes_per_second, \
            limits.new_bytes_at_once). Wait as long as Retry-After says and send the same request again. Nothing was stored. \
            A claim whose result was refused stays yours until its lease ends: renew it if the wait is longer, and do not \
            repeat the work."""),
    HEADERS_TOO_LARGE(431, "The headers are too large", """
            The sum of a request's headers is bounded by limits.header_bytes, their number by limits.header_lines. Nothing \
            has run."""),
    IDEMPOTENCY_KEY_MISSING(400, "Idempotency-Key is missing", """
            The route is idempotent and requires the header Idempotency-Key: 1 to 255 visible ASCII characters, a new key for \
            every new operation and the same key for every retry of it. Nothing has run."""),
    IDEMPOTENCY_KEY_MALFORMED(400, "Idempotency-Key is malformed", """
            A request has one Idempotency-Key: 1 to 255 visible ASCII characters, bare or in double quotes. The detail says \
            what is wrong. Nothing has run."""),
    REQUEST_IN_PROGRESS(409, "A request is outstanding for this Idempotency-Key", """
            The first request with this key is still running. Send the same request again after Retry-After, or with \
            Prefer: wait=10 to wait for its answer. Nothing has run."""),
    STORED_ANSWER_UNREADABLE(500, "The stored answer cannot be read", """
            The request took effect before, but the secret that encrypted its answer is not alive any more. Put the earlier \
            secret into IDEMPOTENCY_PREVIOUS_SECRETS and send the request again. Nothing was run again."""),
    UPGRADE_REFUSED(501, "The connection cannot be upgraded", """
            The API door forwards HTTP requests. It does not forward WebSocket and other upgrades, CONNECT and TRACE. \
            Nothing was sent on."""),
    UPSTREAM_UNREACHABLE(502, "The service cannot be reached", """
            No target of the route accepts a connection. The request was not sent, and its key is free: send the same \
            request again."""),
    UPSTREAM_FAILED(502, "The service gave no whole answer", """
            The request was sent to the route's target, which ended the connection before its answer was complete. Whether \
            it took effect is not known. Send the same request with the same key again: the target gets the same child key, \
            so that it can act once. With on_stale: park it is not sent again until somebody decides."""),
    UPSTREAM_TIMEOUT(504, "The service did not answer in time", """
            The request was sent to the route's target, which did not answer within timeout_seconds. Whether it took effect is \
            not known. Send the same request with the same key again: the target gets the same child key, so that it can act \
            once. With on_stale: park it is not sent again until somebody decides."""),
    INTERNAL(500, "The server failed", """
            This is a fault of the server. Its log has more. Whether anything was done is not known: send the same request \
            with the same key again, and it is done once."""),
    STORE_UNAVAILABLE(503, "The database does not answer", """
            The database is away or too busy. For a claim nothing has run. For a settlement it is not known whether it was \
            written: send it again with the same token, which is safe. Wait as long as Retry-After says."""),
    WEBHOOK_FAILED(503, "Processing failed", """
            The event's target answered with something else than 2xx, or not in time; or the delivery that this one waited \
            for failed. The event's next delivery is processed. Providers send it again by themselves."""),
    WEBHOOK_IN_PROGRESS(503, "Another delivery is being processed", """
            The same event is being processed for longer than this delivery could wait. Send it again after Retry-After: \
            it is then answered by what came of the first."""),
    WEBHOOK_UNAVAILABLE(503, "The delivery cannot be dealt with now", """
            The database is away or too busy, or what is needed to check the signature cannot be had at the moment. Send the \
            delivery again, which is safe: what was processed is not processed again."""),
    BUSY(503, "The server is busy", """
            Other requests hold the memory that this one needs for its body, its parsed values or its answer, or all connections \
            to the service behind a route. Wait as long as Retry-After says and send the same request again. If it happens \
            often, send less at once, or raise \
            limits.memory_bytes (all clients) or limits.address_bytes (the clients behind one address). For a request \
            whose answer did not fit, the detail says so; otherwise nothing has run."""),
    SHUTTING_DOWN(503, "The server is stopping", """
            The server was told to stop and takes no new work. Send the request again: to another instance, or here once it \
            is back. Nothing has run.""");

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

    /** For the page about it. */
    public String explanation() {
        return explanation;
    }

    /** The last part of its address. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Its address, relative to the server's. */
    public String url() {
        return "/docs/problems/" + slug();
    }

    public static Optional<ProblemType> ofSlug(String slug) {
        return Arrays.stream(values()).filter(type -> type.slug().equals(slug)).findFirst();
    }
}
