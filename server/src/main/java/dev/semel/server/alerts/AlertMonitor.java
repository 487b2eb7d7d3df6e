// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.alerts;

import dev.semel.admin.Alert;
import dev.semel.admin.AlertRule;
import dev.semel.admin.Alerts;
import dev.semel.admin.StatsApi;
import dev.semel.internal.SendersClock;
import dev.semel.lane.DaemonThreads;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.AlertSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates the alerts every two seconds and tells a webhook what has changed since the last message. There is no queue: a
 * message that cannot be delivered is made again at the next evaluation, if the alert is still in that state. While the receiver
 * fails, the pause doubles, up to a minute. All work is done on one thread of its own.
 */
public final class AlertMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlertMonitor.class);
    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** How many messages one evaluation sends. The others follow at the next one. */
    private static final int MAX_MESSAGES = 50;

    private final Alerts alerts;
    private final String instance;
    private final AlertWebhook webhook;
    private final ScheduledExecutorService thread = DaemonThreads.timer("semel-alerts");
    private final Map<Condition, Alert> told = new HashMap<>();
    private Duration pause = EVERY;

    /** What an alert is about. Its value changes all the time. */
    private record Condition(String tenant, String scope, AlertRule rule) {
        static Condition of(Alert alert) {
            return new Condition(alert.tenant(), alert.scope(), alert.rule());
        }
    }

    private record Change(Alert alert, boolean fired) {}

    /**
     * Starts to evaluate.
     *
     * @param instance the name of this process
     */
    public AlertMonitor(Alerts alerts, String instance, AlertSettings.Webhook settings) {
        this.alerts = alerts;
        this.instance = instance;
        this.webhook = new AlertWebhook(settings);
        evaluateLater();
    }

    private void evaluateLater() {
        thread.schedule(this::evaluate, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void evaluate() {
        try {
            for (Change change : changes()) {
                webhook.send(message(change));
                tell(change);
            }
            pause = EVERY;
        } catch (IOException e) {
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            LOG.warn(
                    "Alert webhook failed ({}); the next attempt is in {} s. Check alerts.webhook.url",
                    e.getMessage(),
                    pause.toSeconds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (RuntimeException e) {
            LOG.warn("Alerts could not be evaluated; the next attempt follows", e);
        }
        if (!thread.isShutdown()) {
            evaluateLater();
        }
    }

    private List<Change> changes() {
        Map<Condition, Alert> firing = new HashMap<>();
        alerts.firing().forEach(alert -> firing.put(Condition.of(alert), alert));
        List<Change> changes = new ArrayList<>();
        told.forEach((condition, alert) -> {
            if (!firing.containsKey(condition)) {
                changes.add(new Change(alert, false));
            }
        });
        firing.forEach((condition, alert) -> {
            if (!told.containsKey(condition)) {
                changes.add(new Change(alert, true));
            }
        });
        return changes.size() > MAX_MESSAGES ? changes.subList(0, MAX_MESSAGES) : changes;
    }

    private void tell(Change change) {
        if (change.fired()) {
            told.put(Condition.of(change.alert()), change.alert());
        } else {
            told.remove(Condition.of(change.alert()));
        }
    }

    private byte[] message(Change change) {
        return new JsonObject.Builder()
                .put("state", new JsonString(change.fired() ? "firing" : "cleared"))
                .put("tenant", new JsonString(change.alert().tenant()))
                .put("instance", new JsonString(instance))
                .put(
                        "window_seconds",
                        JsonNumber.of(alerts.statistics().window().toSeconds()))
                .put(
                        "at",
                        new JsonString(SendersClock.now()
                                .truncatedTo(ChronoUnit.MILLIS)
                                .toString()))
                .put("alert", StatsApi.alert(change.alert()))
                .build()
                .utf8();
    }

    /** Stops. A message that is being sent is interrupted. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
