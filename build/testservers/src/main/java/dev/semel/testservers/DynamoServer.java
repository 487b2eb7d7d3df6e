// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * DynamoDB Local, in a JVM of its own. It requires {@code semel-testdynamo} on the class path of the tests, which knows the
 * server's own class path. It accepts any credentials and any region.
 */
public final class DynamoServer extends TestServer {
    private static final SharedServer<DynamoServer> SHARED =
            new SharedServer<>(() -> start(ScratchFolder.temporary(), true));

    private static final String PROGRAM = "dev.semel.testdynamo.DynamoProgram";
    private static final String NATIVE = "libsqlite4java-linux-amd64";

    private final ServerProcess process;

    private DynamoServer(ScratchFolder folder, String classPath, boolean inMemory) {
        super(folder);
        this.process = new ServerProcess(
                "DynamoDB Local", command(classPath, inMemory), "TERM", "KILL", folder, this::connect);
    }

    /** The server that all tests of this JVM share, with its data in memory. Do not close or kill it. */
    public static DynamoServer shared() {
        return SHARED.get();
    }

    /** Starts a server that keeps its data in files, so that it can be killed and restarted. */
    public static DynamoServer start() {
        return startIn(ScratchFolder.temporary());
    }

    /** The same, with its files in a new folder in this one. Every write is flushed, which takes long on a busy disk. */
    public static DynamoServer startIn(Path parent) {
        return start(parent, false);
    }

    private static DynamoServer start(Path parent, boolean inMemory) {
        String classPath = ProgramClassPath.of(PROGRAM, "semel-testdynamo");
        ScratchFolder folder = ScratchFolder.in(parent, "semel-dynamodb-");
        try {
            DynamoServer server = new DynamoServer(folder, classPath, inMemory);
            server.begin();
            return server;
        } catch (RuntimeException e) {
            throw folder.closeAfter(e);
        }
    }

    private List<String> command(String classPath, boolean inMemory) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dsqlite4java.library.path=" + nativeFolder(classPath),
                "-cp",
                classPath,
                PROGRAM,
                "-disableTelemetry",
                "-sharedDb",
                "-port",
                String.valueOf(port)));
        command.addAll(inMemory ? List.of("-inMemory") : List.of("-dbPath", dataFolder()));
        return command;
    }

    private String dataFolder() {
        try {
            return Files.createDirectories(data).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path nativeFolder(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .map(Path::of)
                .filter(file -> file.getFileName().toString().startsWith(NATIVE))
                .findAny()
                .map(Path::getParent)
                .orElseThrow(() -> new IllegalStateException(NATIVE + " is not on the class path of DynamoDB Local"));
    }

    /** The server binds its port once it can answer. */
    private void connect() throws IOException {
        try (Socket socket = new Socket(Loopback.address(), port)) {
            socket.setSoTimeout(1);
        }
    }

    /** The address for clients: {@code http://127.0.0.1:port}. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    ServerProcess process() {
        return process;
    }
}
