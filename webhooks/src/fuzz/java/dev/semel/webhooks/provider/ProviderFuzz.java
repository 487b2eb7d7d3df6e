// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.slf4j.LoggerFactory;

/** One class for each provider, because one process can run one fuzz test. */
abstract class ProviderFuzz {
    private final ProviderTarget target;

    ProviderFuzz(String type) {
        // LogHygiene keeps every log line in memory.
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        target = new ProviderTarget(type);
    }

    @FuzzTest(maxDuration = "2m")
    void anyBytes(byte[] bytes) {
        target.accept(bytes);
    }
}

class AdyenFuzz extends ProviderFuzz {
    AdyenFuzz() {
        super("adyen");
    }
}

class CloudeventsFuzz extends ProviderFuzz {
    CloudeventsFuzz() {
        super("cloudevents");
    }
}

class CustomFuzz extends ProviderFuzz {
    CustomFuzz() {
        super("custom");
    }
}

class GithubFuzz extends ProviderFuzz {
    GithubFuzz() {
        super("github");
    }
}

class MomoFuzz extends ProviderFuzz {
    MomoFuzz() {
        super("momo");
    }
}

class PaddleFuzz extends ProviderFuzz {
    PaddleFuzz() {
        super("paddle");
    }
}

class PaypalFuzz extends ProviderFuzz {
    PaypalFuzz() {
        super("paypal");
    }
}

class PaystackFuzz extends ProviderFuzz {
    PaystackFuzz() {
        super("paystack");
    }
}

class RazorpayFuzz extends ProviderFuzz {
    RazorpayFuzz() {
        super("razorpay");
    }
}

class SendgridFuzz extends ProviderFuzz {
    SendgridFuzz() {
        super("sendgrid");
    }
}

class ShopifyFuzz extends ProviderFuzz {
    ShopifyFuzz() {
        super("shopify");
    }
}

class SlackFuzz extends ProviderFuzz {
    SlackFuzz() {
        super("slack");
    }
}

class SquareFuzz extends ProviderFuzz {
    SquareFuzz() {
        super("square");
    }
}

class StandardWebhooksFuzz extends ProviderFuzz {
    StandardWebhooksFuzz() {
        super("standard-webhooks");
    }
}

class StripeFuzz extends ProviderFuzz {
    StripeFuzz() {
        super("stripe");
    }
}

class SvixFuzz extends ProviderFuzz {
    SvixFuzz() {
        super("svix");
    }
}

class TossFuzz extends ProviderFuzz {
    TossFuzz() {
        super("toss");
    }
}

class TwilioFuzz extends ProviderFuzz {
    TwilioFuzz() {
        super("twilio");
    }
}

class WhatsappFuzz extends ProviderFuzz {
    WhatsappFuzz() {
        super("whatsapp");
    }
}
