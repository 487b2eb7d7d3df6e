// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;

/** The Semel engine with the configured database and secrets. */
public final class Engine implements AutoCloseable {
    private final Secrets secrets;
    private final ReplayCaches caches;
    private final Semel semel;

    private Engine(Secrets secrets, ReplayCaches caches, Semel semel) {
        this.secrets = secrets;
        this.caches = caches;
        this.semel = semel;
    }

    public static Engine on(Storage storage, Settings settings) {
        Secrets secrets = secrets(settings);
        // Use the current secret only. Entries under other secrets are not found; the database is read instead.
        ReplayCaches caches = ReplayCaches.of(settings, secrets);
        Semel semel = Semel.on(storage.claims())
                .secrets(secrets)
                .replayCache(caches.replays())
                // Receivers switch to their own event loop. Running callbacks directly saves a thread switch.
                .callbackExecutor(Runnable::run)
                .build();
        return new Engine(secrets, caches, semel);
    }

    private static Secrets secrets(Settings settings) {
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

    /** Returns the caches that all resources share. */
    public ReplayCaches caches() {
        return caches;
    }

    public Semel semel() {
        return semel;
    }

    /** Returns the secrets, to derive keys for encryption and for claims by inputs. */
    public Secrets secrets() {
        return secrets;
    }

    @Override
    public void close() {
        semel.close();
        caches.close();
    }
}
