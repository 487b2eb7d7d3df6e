// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.cli.BackupCommand;
import dev.semel.server.cli.CleanupCommand;
import dev.semel.server.cli.CommandException;
import dev.semel.server.cli.DoctorCommand;
import dev.semel.server.cli.InboxCommand;
import dev.semel.server.cli.KeysCommand;
import dev.semel.server.cli.MigrateCommand;
import dev.semel.server.cli.TokenCommand;
import dev.semel.server.cli.TriggerCommand;
import dev.semel.server.config.ConfigException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. Each command is one class. */
@Command(
        name = "semel",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        // Commands have the same help options and exit codes.
        scope = CommandLine.ScopeType.INHERIT,
        description = "An idempotency layer: each operation takes effect once, and every caller receives its result.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:failed; standard error says why", "2:wrong usage or settings"},
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ServeCommand.class,
            DemoCommand.class,
            MigrateCommand.class,
            KeysCommand.class,
            InboxCommand.class,
            TriggerCommand.class,
            CleanupCommand.class,
            TokenCommand.class,
            BackupCommand.class,
            DoctorCommand.class
        })
public final class Main {
    /** Exit code of a command that started something that keeps running. */
    static final int KEEPS_RUNNING = -1;

    private static final int BAD_SETTINGS = 2;
    private static final int FAILED = 1;

    Main() {}

    public static void main(String[] arguments) {
        // Otherwise Vert.x would log to java.util.logging.
        System.setProperty("vertx.logger-delegate-factory-class-name", "io.vertx.core.logging.SLF4JLogDelegateFactory");
        int exit = run(new CommandLine(new Main()), arguments);
        if (exit != KEEPS_RUNNING) {
            System.exit(exit);
        }
    }

    /** Runs a command line and returns the exit code. Tests pass a command line that writes elsewhere. */
    static int run(CommandLine commands, String... arguments) {
        commands.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof ConfigException) {
                command.getErr().println("semel: " + failure.getMessage());
                return BAD_SETTINGS;
            }
            if (failure instanceof CommandException) {
                command.getErr().println("semel: " + failure.getMessage());
                return FAILED;
            }
            LoggerFactory.getLogger(Main.class)
                    .error("The command {} failed unexpectedly", command.getCommandName(), failure);
            return FAILED;
        });
        commands.setParameterExceptionHandler((wrong, given) -> {
            PrintWriter err = wrong.getCommandLine().getErr();
            err.println("semel: " + wrong.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
            // The whole help text would push the message off the screen.
            err.println("See `%s --help`"
                    .formatted(wrong.getCommandLine().getCommandSpec().qualifiedName()));
            return BAD_SETTINGS;
        });
        return commands.execute(completed(arguments));
    }

    /** Inserts {@code serve} if the first argument is an option. */
    private static String[] completed(String[] arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (all.isEmpty()) {
            all.add("--help");
        } else if (all.get(0).startsWith("--")
                && !all.get(0).equals("--help")
                && !all.get(0).equals("--version")) {
            all.add(0, "serve");
        }
        return all.toArray(String[]::new);
    }
}
