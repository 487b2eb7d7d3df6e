// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.config.ConfigException;
import dev.semel.server.log.LogLevels;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code semel demo}. */
@Command(
        name = "demo",
        sortOptions = false,
        description = "Starts a server on a temporary folder, with traffic to look at. It runs until SIGTERM or Ctrl-C,"
                + " and leaves nothing behind.")
final class DemoCommand implements Callable<Integer> {
    private static final int LARGEST_PORT = 65_535;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8080",
            description = "0 picks a free port (default ${DEFAULT-VALUE})")
    private String port = "8080";

    @Option(names = "--print-port-file", paramLabel = "FILE", description = "write the port to this file once ready")
    private @Nullable Path printPortFile;

    @Override
    public Integer call() {
        int wanted = portNumber();
        // Refused and repeated webhooks are part of the show: a dozen lines each second would hide the addresses below.
        LogLevels.onlyErrors("dev.semel");
        Demo demo = new Demo();
        // Before the start, so that a signal during the start leaves nothing behind either.
        Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "semel-demo-stop"));
        ProcessSignals.stopNormally();
        ProcessSignals.on("HUP", () -> System.exit(0));
        demo.start(wanted);
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.print("""
                The demo of Semel %s is running:
                  console  %s/console/
                  tour     %s/console/#/tour
                  parked   ./semel keys list --status unknown --url %s
                  try      find order-1042 in the console: nobody knows whether it was paid out
                Its data is temporary. Stop it with Ctrl-C.
                """.formatted(Version.text(), demo.url(), demo.url(), demo.url()));
        out.flush();
        if (printPortFile != null) {
            ServeCommand.writePort(printPortFile, demo.port());
        }
        return Main.KEEPS_RUNNING;
    }

    private int portNumber() {
        try {
            int number = Integer.parseInt(port);
            if (number >= 0 && number <= LARGEST_PORT) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through to the message.
        }
        throw new ConfigException("--port must be a number from 0 to 65535");
    }
}
