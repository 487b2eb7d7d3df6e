// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A running server and its callers. */
final class RunningServer implements AutoCloseable {
    private final Launch launch;
    private final SemelProcess process;
    private final Configuration configuration;
    private final Database database;
    private final Client client;
    private OpenApi openApi;

    private RunningServer(Launch launch, List<String> flags, Configuration configuration, Database database) {
        this.launch = launch;
        this.process = SemelProcess.start(launch, flags);
        this.configuration = configuration;
        this.database = database;
        this.client = new Client(process, this::openApi);
    }

    /** Starts a server. Without a database it uses the embedded one. */
    static RunningServer start(Launch launch, Configuration configuration, Database database) {
        return start(launch, List.of(), configuration, database);
    }

    /** The same with more options of the JVM. */
    static RunningServer start(Launch launch, List<String> flags, Configuration configuration, Database database) {
        return new RunningServer(launch, flags, configuration, database);
    }

    /** Another instance over the same database. */
    RunningServer second() {
        return new RunningServer(launch.withData(Scratch.folder("data")), List.of(), configuration, database);
    }

    synchronized OpenApi openApi() {
        if (openApi == null) {
            openApi = OpenApiSource.of(process);
        }
        return openApi;
    }

    SemelProcess process() {
        return process;
    }

    Configuration configuration() {
        return configuration;
    }

    Client client() {
        return client;
    }

    Database database() {
        return database == null ? Database.embedded(data()) : database;
    }

    Path data() {
        return launch.data();
    }

    boolean isProduction() {
        return configuration.isProduction();
    }

    /** A caller of a unique tenant. */
    Caller caller() {
        return isProduction() ? client(configuration.tenant()) : named(Marks.name("tenant"));
    }

    Caller client(Configuration.Tenant tenant) {
        return bearer(tenant.name(), tenant.client());
    }

    Caller viewer(Configuration.Tenant tenant) {
        return bearer(tenant.name(), tenant.viewer());
    }

    Caller operator(Configuration.Tenant tenant) {
        return bearer(tenant.name(), tenant.operator());
    }

    Caller bearer(String tenant, String token) {
        return new Caller(client, tenant, Map.of("Authorization", "Bearer " + token));
    }

    /** A caller in development with a tenant. */
    Caller named(String tenant) {
        return new Caller(client, tenant, Map.of("X-Organization-Id", tenant));
    }

    /** A caller without a tenant. */
    Caller nobody() {
        return new Caller(client, "default", Map.of());
    }

    /** A caller of the same tenant, for a caller of another instance. */
    Caller here(Caller caller) {
        return new Caller(client, caller.tenant(), caller.identity());
    }

    @Override
    public void close() {
        process.close();
    }
}
