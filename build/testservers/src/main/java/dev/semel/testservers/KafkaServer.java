// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Kafka broker that is its own controller (KRaft), in a JVM of its own. It requires {@code semel-testbroker} on the class
 * path of the tests, which knows the broker's own class path.
 */
public final class KafkaServer extends TestServer {
    private static final SharedServer<KafkaServer> SHARED = new SharedServer<>(KafkaServer::start);

    private static final String PROGRAM = "dev.semel.testbroker.BrokerProgram";
    private static final String CLUSTER = "c2VtZWwtdGVzdC1jbHVzdA";

    private final ServerProcess process;

    private KafkaServer(ScratchFolder folder, String classPath) {
        super(folder);
        Path settings = configure();
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        this.process = new ServerProcess(
                "Kafka",
                List.of(
                        java.toString(),
                        "-Xmx384m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        PROGRAM,
                        settings.toString(),
                        CLUSTER),
                "TERM",
                "KILL",
                folder,
                this::connect);
    }

    /** The server that all tests of this JVM share. It is started at first use. Do not close or kill it. */
    public static KafkaServer shared() {
        return SHARED.get();
    }

    public static KafkaServer start() {
        String classPath = ProgramClassPath.of(PROGRAM, "semel-testbroker");
        ScratchFolder folder = ScratchFolder.inTemporaryFolder("semel-kafka-");
        try {
            KafkaServer server = new KafkaServer(folder, classPath);
            server.begin();
            return server;
        } catch (RuntimeException e) {
            throw folder.closeAfter(e);
        }
    }

    private Path configure() {
        int controller = FreePort.choose();
        String lines = """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                controller.quorum.voters=1@127.0.0.1:%2$d
                log.dirs=%3$s
                auto.create.topics.enable=false
                offsets.topic.num.partitions=1
                offsets.topic.replication.factor=1
                transaction.state.log.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                group.initial.rebalance.delay.ms=0
                group.min.session.timeout.ms=1000
                """.formatted(port, controller, data);
        try {
            Files.createDirectory(data);
            return Files.writeString(folder.path().resolve("server.properties"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The broker binds its port once it can answer. */
    private void connect() throws IOException {
        try (Socket socket = new Socket(Loopback.address(), port)) {
            socket.setSoTimeout(1);
        }
    }

    /** The address for clients: {@code 127.0.0.1:port}. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    @Override
    ServerProcess process() {
        return process;
    }
}
