// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.WebhookSettings;
import dev.semel.server.trigger.Trigger;
import dev.semel.server.trigger.TriggerPlan;
import dev.semel.server.trigger.TriggerReport;
import dev.semel.server.trigger.UnreachableException;
import dev.semel.webhooks.provider.DeliverySigner;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code semel trigger}. */
@Command(
        name = "trigger",
        sortOptions = false,
        description =
                "Signs and sends new webhook events as a provider does, each several times, and reports who processed what.",
        footer = {
            "",
            "The secret is --secret, SEMEL_WEBHOOK_SECRET, or that of webhooks.NAME in the settings file.",
            "The exit code is 0 only if each event was processed exactly once and no delivery was refused or failed."
        })
public final class TriggerCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "PROVIDER",
            description = "a type such as stripe, or a name from webhooks in the settings file")
    private String provider = "";

    @Mixin
    private TriggerOptions options = new TriggerOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--duplicates",
            paramLabel = "N",
            defaultValue = "1",
            description = "how often each event is delivered again, 0 to 10000 (default ${DEFAULT-VALUE})")
    private String duplicates = "1";

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "1",
            description = "deliveries in progress at a time, 1 to 256 (default ${DEFAULT-VALUE})")
    private String concurrency = "1";

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "1",
            description = "different events, 1 to 100000 (default ${DEFAULT-VALUE})")
    private String events = "1";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "how long to wait for an answer, 1 to 600 (default: as long as the provider waits)")
    private @Nullable String timeout;

    @Override
    public Integer call() {
        TriggerPlan plan = plan();
        output.progress("Sending %d events, each %d times ...".formatted(plan.events(), plan.copies()));
        TriggerReport report = run(plan);
        JsonObject json = json(plan, report);
        output.print(json, TriggerText.of(json));
        return report.isExactlyOnce() ? 0 : 1;
    }

    private TriggerPlan plan() {
        WebhookSettings settings = options.settings(provider);
        DeliverySigner signer = options.signer(provider, settings);
        int different = number("--events", events, 1, TriggerPlan.MAX_EVENTS);
        int copies = number("--duplicates", duplicates, 0, TriggerPlan.MAX_DUPLICATES) + 1;
        if ((long) different * copies > TriggerPlan.MAX_DELIVERIES) {
            throw new ConfigException("--events and --duplicates make %d deliveries: the maximum is %d"
                    .formatted((long) different * copies, TriggerPlan.MAX_DELIVERIES));
        }
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return new TriggerPlan(
                settings.type(),
                settings.options(),
                signer,
                options.targets(provider, settings),
                different,
                copies,
                number("--concurrency", concurrency, 1, TriggerPlan.MAX_CONCURRENCY),
                timeout == null
                        ? settings.provider().answerWithin()
                        : Duration.ofSeconds(number("--timeout", timeout, 1, 600)),
                HexFormat.of().formatHex(random));
    }

    private static TriggerReport run(TriggerPlan plan) {
        try {
            return Trigger.run(plan);
        } catch (UnreachableException e) {
            throw new CommandException("%s. Start a server with `semel serve`, or set --url".formatted(e.getMessage()));
        } catch (IllegalArgumentException e) {
            // The private key does not fit the provider, or a header value cannot be sent. Messages contain no secrets.
            throw new ConfigException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("Interrupted");
        }
    }

    private JsonObject json(TriggerPlan plan, TriggerReport report) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("provider", new JsonString(provider));
        members.put("signed", new JsonBoolean(plan.signer().signs()));
        members.put("exactly_once", new JsonBoolean(report.isExactlyOnce()));
        members.putAll(report.json().members());
        return new JsonObject(members);
    }

    private static int number(String option, String text, int min, int max) {
        if (text.matches("[0-9]{1,7}")) {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new ConfigException("%s must be a number from %d to %d".formatted(option, min, max));
    }
}
