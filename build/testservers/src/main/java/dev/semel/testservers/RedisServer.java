// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Redis, durable by default: its append-only file is synced at every write, so that acknowledged writes survive a kill.
 */
public final class RedisServer extends TestServer {

    private static final SharedServer<RedisServer> SHARED = new SharedServer<>(RedisServer::start);

    private static final Map<String, String> DEFAULTS = Map.of(
            "appendonly", "yes",
            "appendfsync", "always",
            "save", "\"\"");
    private static final Set<String> FIXED = Set.of("port", "bind", "dir", "requirepass", "daemonize");

    private final String password = RandomPassword.create();
    private final ServerProcess process;

    private RedisServer(ScratchFolder folder, Path program, NamedSettings settings) {
        super(folder);
        Path configuration = configure(settings);
        this.process = new ServerProcess(
                "Redis", List.of(program.toString(), configuration.toString()), "TERM", "KILL", folder, this::ping);
    }

    /** The server that all tests of this JVM share. It is started at first use. Do not close or kill it. */
    public static RedisServer shared() {
        return SHARED.get();
    }

    public static RedisServer start() {
        return start(Map.of());
    }

    /** Starts a server with these lines of {@code redis.conf}, which override the defaults. */
    public static RedisServer start(Map<String, String> settings) {
        NamedSettings all = NamedSettings.of(DEFAULTS, settings, FIXED);
        String name = Platform.current().redisServer();
        Path program = BinariesCache.ofThisUser()
                .unpacked(new JarBinaries("", List.of(name)))
                .resolve(name);
        ScratchFolder folder = ScratchFolder.inTemporaryFolder("semel-redis-");
        try {
            RedisServer server = new RedisServer(folder, program, all);
            server.begin();
            return server;
        } catch (RuntimeException e) {
            throw folder.closeAfter(e);
        }
    }

    /** Writes a file, because a command line would show the password to other users of the machine. */
    private Path configure(NamedSettings settings) {
        StringBuilder lines = new StringBuilder();
        settings.values().forEach((name, value) -> lines.append("%s %s\n".formatted(name, value)));
        lines.append("""
                port %d
                bind 127.0.0.1
                dir "%s"
                requirepass %s
                """.formatted(port, data, password));
        try {
            Files.createDirectory(data);
            return Files.writeString(folder.path().resolve("redis.conf"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ping() throws IOException {
        try (RedisConnection connection = new RedisConnection(port, password)) {
            connection.call("PING");
        }
    }

    /** The address with the password: {@code redis://:password@127.0.0.1:port}. */
    public String uri() {
        return "redis://:%s@127.0.0.1:%d".formatted(password, port);
    }

    public String password() {
        return password;
    }

    @Override
    ServerProcess process() {
        return process;
    }
}
