// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.CallObserver;
import dev.semel.ClaimListener;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.admin.ClaimStatistics;
import dev.semel.admin.HistoryRecorder;
import dev.semel.admin.Keys;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;
import java.util.List;
import java.util.Optional;

/** The Semel engine with the configured database and secrets. */
public final class Engine implements AutoCloseable {
    private final Secrets secrets;
    private final ReplayCaches caches;
    private final HistoryRecorder history;
    private final ClaimStatistics statistics;
    private final ClaimListener metrics;
    private final Semel semel;
    private final Keys keys;

    private Engine(
            Secrets secrets,
            ReplayCaches caches,
            HistoryRecorder history,
            ClaimStatistics statistics,
            ClaimListener metrics,
            Semel semel,
            Keys keys) {
        this.secrets = secrets;
        this.caches = caches;
        this.history = history;
        this.statistics = statistics;
        this.metrics = metrics;
        this.semel = semel;
        this.keys = keys;
    }

    /**
     * Opens the engine.
     *
     * @param metrics counts claims
     * @param tracing traces the engine's calls, if anything is traced
     */
    public static Engine on(Storage storage, Settings settings, ClaimListener metrics, Optional<CallObserver> tracing) {
        requireSecretOf(storage, settings);
        Secrets secrets = secrets(settings);
        // Use the current secret only. Entries under other secrets are not found; the database is read instead.
        ReplayCaches caches = ReplayCaches.of(settings, secrets);
        HistoryRecorder history = new HistoryRecorder(storage.history());
        ClaimStatistics statistics = new ClaimStatistics(settings.alerts().window());
        SemelBuilder builder = Semel.on(storage.claims())
                .secrets(secrets)
                .replayCache(caches.replays())
                .listener(history)
                .listener(statistics)
                .listener(metrics)
                // The cleanup does it, on one instance at a time.
                .withoutSweep()
                // Receivers switch to their own event loop. Running callbacks directly saves a thread switch.
                .callbackExecutor(Runnable::run);
        tracing.ifPresent(builder::observer);
        Semel semel = builder.build();
        return new Engine(secrets, caches, history, statistics, metrics, semel, Keys.on(storage.claims(), secrets));
    }

    /**
     * Returns the configured secrets. Without one, the secret of the data folder is used, and created if it does not exist.
     *
     * @throws ConfigException if the secret of the data folder cannot be read
     */
    public static Secrets secrets(Settings settings) {
        Secret current = settings.secret()
                .map(hidden -> Secret.of(hidden.reveal()))
                .orElseGet(() -> SecretFile.in(settings.server().dataDir()));
        try {
            return Secrets.of(
                    current,
                    settings.previousSecrets().stream()
                            .map(hidden -> Secret.of(hidden.reveal()))
                            .toArray(Secret[]::new));
        } catch (IllegalArgumentException e) {
            // The settings contain no duplicates, so it is the secret in the data folder.
            throw new ConfigException("previous_secrets contains the secret of the data folder, which is the current"
                    + " one: set the new secret as IDEMPOTENCY_SECRET");
        }
    }

    /**
     * Returns the secrets that exist; none if the settings have none and the data folder has none. Creates nothing.
     *
     * @throws ConfigException if the secret of the data folder cannot be read
     */
    public static Optional<Secrets> existingSecrets(Settings settings) {
        return settings.secret().isPresent()
                        || SecretFile.isIn(settings.server().dataDir())
                ? Optional.of(secrets(settings))
                : Optional.empty();
    }

    /**
     * Refuses to create a secret for a database that was restored without its own: the new one would find no claim, and
     * work that is done would run again. The claims are read first, because a new server writes its secret before them.
     */
    private static void requireSecretOf(Storage storage, Settings settings) {
        if (settings.secret().isEmpty()
                && settings.database().isSqlite()
                && storage.sql().filter(SqlStorage::hasClaims).isPresent()
                && !SecretFile.isIn(settings.server().dataDir())) {
            throw new ConfigException(
                    ("The database %s has claims, but their secret is missing, and without it no key is"
                                    + " recognized. Restore the file `secret` in %s, or set IDEMPOTENCY_SECRET to the secret that the"
                                    + " claims were made with")
                            .formatted(
                                    settings.database().shownUrl(),
                                    settings.server().dataDir()));
        }
    }

    /** Returns the caches that all resources share. */
    public ReplayCaches caches() {
        return caches;
    }

    public Semel semel() {
        return semel;
    }

    /** Returns the recorder of take-overs, conflicts and parks. */
    public HistoryRecorder history() {
        return history;
    }

    /** Returns what happened in the last minutes. */
    public ClaimStatistics statistics() {
        return statistics;
    }

    /** Returns who hears of claims. */
    public List<ClaimListener> listeners() {
        return List.of(history, statistics, metrics);
    }

    /** Returns the claims as operators see them. */
    public Keys keys() {
        return keys;
    }

    /** Returns the secrets, to derive keys for encryption and for claims by inputs. */
    public Secrets secrets() {
        return secrets;
    }

    @Override
    public void close() {
        semel.close();
        history.close();
        caches.close();
    }
}
