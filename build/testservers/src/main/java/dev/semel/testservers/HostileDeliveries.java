// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What webhooks are made of that no provider has signed, for tests that expect each of them to be refused. */
public final class HostileDeliveries {
    /** The providers that sign with a secret of any form. */
    public static final List<String> BY_SECRET = List.of(
            "whatsapp", "stripe", "github", "shopify", "square", "slack", "twilio", "razorpay", "paystack", "paddle");

    /** A key in the form that Adyen requires. */
    public static final String ADYEN_KEY = "9064450A8892A093D9E97EFCC9639DE3";

    /** A secret in the form that Standard Webhooks and Svix require. */
    public static final String STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /** A public key for SendGrid whose private key nobody has. */
    public static final String SENDGRID_KEY =
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";

    private static final List<String> HEADERS = List.of(
            "Stripe-Signature",
            "X-Hub-Signature-256",
            "X-Shopify-Hmac-Sha256",
            "x-square-hmacsha256-signature",
            "X-Slack-Signature",
            "X-Slack-Request-Timestamp",
            "X-Twilio-Signature",
            "X-Razorpay-Signature",
            "x-paystack-signature",
            "Paddle-Signature",
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature",
            "svix-id",
            "svix-timestamp",
            "svix-signature",
            "X-Twilio-Email-Event-Webhook-Signature",
            "X-Twilio-Email-Event-Webhook-Timestamp",
            "X-Signature");

    private static final List<String> VALUES = List.of(
            "t=1700000000,v1=00",
            "sha256=",
            "v0=zz",
            "v1,AAAA v1a,AAAA",
            "v1:AAAA,v1:",
            "ts=1;h1=",
            "99999999999999999999",
            "=====",
            "");

    private HostileDeliveries() {}

    /** The headers of signatures, and these. */
    public static List<String> headersAnd(String... more) {
        return joined(HEADERS, more);
    }

    /** Values that resemble those of signatures, and these. */
    public static List<String> valuesAnd(String... more) {
        return joined(VALUES, more);
    }

    /** One of these. */
    public static String one(Random random, List<String> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static List<String> joined(List<String> all, String... more) {
        return Stream.concat(all.stream(), Stream.of(more)).toList();
    }
}
