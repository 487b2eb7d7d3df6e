// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;

/** The engine on the configured database, with the configured secrets. */
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
        // By the current one alone: what was kept by another is not found there, and the database is asked.
        ReplayCaches caches = ReplayCaches.of(settings, secrets.current());
        Semel semel = Semel.on(storage.claims())
                .secrets(secrets)
                .replayCache(caches.replays())
                // Whoever gets the answer hands it to its own event loop: one hop, not two.
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
            // Settings hold none twice, so it is the one in the data folder.
            throw new ConfigException(
                    "previous_secrets holds the secret of the data folder, which is the current one: set the new one as"
                            + " IDEMPOTENCY_SECRET");
        }
    }

    /** What replays are kept in, for all doors. */
    public ReplayCaches caches() {
        return caches;
    }

    public Semel semel() {
        return semel;
    }

    /** For subkeys: sealing, and keys derived from inputs. */
    public Secrets secrets() {
        return secrets;
    }

    @Override
    public void close() {
        semel.close();
        caches.close();
    }
}
