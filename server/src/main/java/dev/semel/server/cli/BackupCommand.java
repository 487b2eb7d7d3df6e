// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;
import dev.semel.server.storage.DatabasePool;
import dev.semel.server.storage.PrivateFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code semel backup}. */
@Command(
        name = "backup",
        description = "Copies the SQLite database into a new file while the server runs, and checks the copy.",
        footer = {
            "",
            "The copy has the state of one moment. Keep the secret too (IDEMPOTENCY_SECRET, or the file `secret`",
            "of the data folder): without it, stored results cannot be decrypted and keys are not recognized.",
            "PostgreSQL and MariaDB: use pg_dump or mariadb-dump --single-transaction. DynamoDB: use its backups."
        })
public final class BackupCommand implements Callable<Integer> {
    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "the new file; it must not exist")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        // SQLite reads names that start with file: and what follows a question mark as options. An absolute path does
        // not.
        file = file.toAbsolutePath();
        if (file.toString().contains("?")) {
            throw new ConfigException("FILE must not contain a question mark: choose another name");
        }
        Settings settings = database.existing();
        Path from = settings.database()
                .file()
                .orElseThrow(() -> new ConfigException("%s is not an SQLite file: use %s"
                        .formatted(
                                settings.database().shownUrl(),
                                settings.database().dynamo().isPresent()
                                        ? "the backups or the point-in-time recovery of DynamoDB"
                                        : "pg_dump, or mariadb-dump --single-transaction")));
        try {
            PrivateFile.create(file);
            output.progress("Copying %s (%d KiB) ...".formatted(from, Files.size(from) / 1_024));
            copy(settings);
            check();
            long bytes = Files.size(file);
            output.print(
                    new JsonObject.Builder()
                            .put("file", new JsonString(file.toString()))
                            .put("bytes", JsonNumber.of(bytes))
                            .build(),
                    "Copied %s to %s (%d bytes). Keep the secret of the servers too.".formatted(from, file, bytes));
            return 0;
        } catch (FileAlreadyExistsException e) {
            throw new CommandException("%s exists already: name a new file".formatted(file));
        } catch (IOException e) {
            throw failed(e.getClass().getSimpleName());
        }
    }

    /** VACUUM INTO reads one snapshot, so writers go on meanwhile. It accepts an empty file, which keeps its permissions. */
    private void copy(Settings settings) throws IOException {
        try (DatabasePool pool = DatabasePool.open(settings.database());
                Connection connection = pool.dataSource().getConnection();
                PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, file.toString());
            copy.execute();
        } catch (SQLException e) {
            discard();
            throw failed("SQLite error " + e.getErrorCode());
        }
        // SQLite does not sync the copy.
        try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
            written.force(true);
        }
    }

    private void check() {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA quick_check")) {
            if (!rows.next() || !rows.getString(1).equals("ok")) {
                throw failed("the copy is damaged; check the disk");
            }
        } catch (SQLException e) {
            throw failed("the copy cannot be read, SQLite error " + e.getErrorCode());
        }
    }

    private void discard() throws IOException {
        Files.deleteIfExists(file);
    }

    private CommandException failed(String reason) {
        return new CommandException(
                "The backup to %s failed (%s): check that its folder exists, is writable and has space"
                        .formatted(file, reason));
    }
}
