// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.ReplayCache;
import dev.semel.server.config.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine on the configured database, with the configured secret. */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final long CACHE_BYTES = 32L << 20;

    private final Secrets secrets;
    private final Semel semel;

    private Engine(Secrets secrets, Semel semel) {
        this.secrets = secrets;
        this.semel = semel;
    }

    public static Engine on(Storage storage, Settings settings) {
        Secret secret = settings.secret()
                .map(hidden -> Secret.of(hidden.reveal()))
                .orElseGet(() -> SecretFile.in(settings.server().dataDir()));
        Secrets secrets = Secrets.of(secret);
        Semel semel = Semel.on(storage.claims())
                .secrets(secrets)
                .replayCache(replayCache(settings))
                // Whoever gets the answer hands it to its own event loop: one hop, not two.
                .callbackExecutor(Runnable::run)
                .build();
        return new Engine(secrets, semel);
    }

    /** The one place where the replay cache is made: the shared one, once there is one, goes here. */
    private static ReplayCache replayCache(Settings settings) {
        settings.redis()
                .ifPresent(url ->
                        LOG.warn("A Redis URL is set, but not used yet: replays are kept in this process alone"));
        return new ProcessReplayCache(CACHE_BYTES);
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
    }
}
