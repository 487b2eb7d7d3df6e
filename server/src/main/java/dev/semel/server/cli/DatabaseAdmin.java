// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.admin.AdminException;
import dev.semel.admin.AdminRequest;
import dev.semel.admin.AdminRoute;
import dev.semel.admin.Keys;
import dev.semel.admin.KeysApi;
import dev.semel.admin.RecordFinder;
import dev.semel.claim.StoreException;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.server.admin.JournalRecords;
import dev.semel.server.claims.ClaimResults;
import dev.semel.server.config.Settings;
import dev.semel.server.storage.Engine;
import dev.semel.server.storage.SchemaMode;
import dev.semel.server.storage.Storage;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The database itself, without a server. Servers may run on it meanwhile. */
final class DatabaseAdmin implements AdminTarget {
    private final Storage storage;
    private final OpenedJournal journal;
    private final List<AdminRoute> routes;
    private final boolean hasSecret;
    private final String tenant;
    private final String actor;

    private DatabaseAdmin(Storage storage, Optional<Secrets> secrets, String tenant, String actor) {
        Secrets used = secrets.orElseGet(DatabaseAdmin::unusedSecrets);
        this.storage = storage;
        this.journal = OpenedJournal.of(storage);
        this.routes = new KeysApi(
                        Keys.on(storage.claims(), used),
                        (ref, result) -> new ClaimResults(used).storedForOperator(ref, result),
                        journal.journal()
                                .<RecordFinder>map(opened -> new JournalRecords(opened.lookup()))
                                .orElse(RecordFinder.NONE))
                .routes();
        this.hasSecret = secrets.isPresent();
        this.tenant = tenant;
        this.actor = actor;
    }

    static DatabaseAdmin open(Settings settings, String tenant, String actor) {
        Optional<Secrets> secrets = Engine.existingSecrets(settings);
        return new DatabaseAdmin(Storage.open(settings.database(), SchemaMode.CHECK), secrets, tenant, actor);
    }

    /** Lists and decisions need no secret. A random one decrypts nothing. */
    private static Secrets unusedSecrets() {
        byte[] random = new byte[Secret.MIN_BYTES];
        new SecureRandom().nextBytes(random);
        return Secrets.of(Secret.of(HexFormat.of().formatHex(random)));
    }

    @Override
    public JsonObject get(String path, Map<String, String> query) {
        return answer("GET", path, query, null);
    }

    @Override
    public JsonObject post(String path, Json body) {
        boolean writesResult =
                body instanceof JsonObject members && members.member("result").isPresent();
        if (!hasSecret && (path.endsWith("/lookup") || writesResult)) {
            throw new CommandException(
                    "This needs the secret of the servers: set IDEMPOTENCY_SECRET, or --data-dir if the"
                            + " secret is there");
        }
        return answer("POST", path, Map.of(), body);
    }

    private JsonObject answer(String method, String path, Map<String, String> query, @Nullable Json body) {
        for (AdminRoute route : routes) {
            Optional<Map<String, String>> variables = matched(route.path(), path);
            if (route.method().equals(method) && variables.isPresent()) {
                try {
                    return (JsonObject)
                            route.handler().answer(new AdminRequest(tenant, actor, true, variables.get(), query, body));
                } catch (AdminException | StoreException | IllegalArgumentException e) {
                    // The last one is about a name that cannot be stored. Its message contains no key.
                    throw new CommandException(String.valueOf(e.getMessage()));
                }
            }
        }
        throw new IllegalArgumentException("The admin API has no route " + method + " " + path);
    }

    /** Returns the variables of the path; empty if it does not match. */
    private static Optional<Map<String, String>> matched(String template, String path) {
        String[] wanted = template.split("/", -1);
        String[] given = path.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{")) {
                variables.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
            } else if (!wanted[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(variables);
    }

    @Override
    public void close() {
        journal.close();
        storage.close();
    }
}
