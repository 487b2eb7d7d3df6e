// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.server.config.Settings;

/** The engine on the configured database, with the configured secret. */
public final class Engine implements AutoCloseable {
    private final Secrets secrets;
    private final Caches caches;
    private final Semel semel;

    private Engine(Secrets secrets, Caches caches, Semel semel) {
        this.secrets = secrets;
        this.caches = caches;
        this.semel = semel;
    }

    public static Engine on(Storage storage, Settings settings) {
        Secret secret = settings.secret()
                .map(hidden -> Secret.of(hidden.reveal()))
                .orElseGet(() -> SecretFile.in(settings.server().dataDir()));
        Secrets secrets = Secrets.of(secret);
        Caches caches = Caches.of(settings, secret);
        Semel semel = Semel.on(storage.claims())
                .secrets(secrets)
                .replayCache(caches.replays())
                // Whoever gets the answer hands it to its own event loop: one hop, not two.
                .callbackExecutor(Runnable::run)
                .build();
        return new Engine(secrets, caches, semel);
    }

    /** What replays are kept in, for all doors. */
    public Caches caches() {
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
