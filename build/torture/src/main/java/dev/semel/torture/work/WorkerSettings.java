// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What a worker process is started with.
 *
 * @param round the name of the round, part of every item's name
 * @param number of the process; a process that replaces a killed one has another
 * @param startNanos when the round began, in {@link System#nanoTime}
 * @param url of the database; empty for the memory store
 * @param redis the address of Redis; empty if no shared cache is used
 * @param stage of the rotation of the secret: 0, or 1 if the new secret may be the current one
 * @param dirtyPool whether the pool hands out connections in the wrong state
 * @param plainPool whether the pool tests no connection before it hands it out
 * @param flaky whether the store in memory loses answers
 * @param clockHours how far this process's clock is wrong
 * @param works the workloads, separated by commas
 */
public record WorkerSettings(
        long seed,
        String round,
        int number,
        long startNanos,
        String history,
        String url,
        String user,
        String password,
        String redis,
        int stage,
        boolean dirtyPool,
        boolean plainPool,
        boolean flaky,
        int clockHours,
        int engines,
        int threads,
        String works) {

    /** Settings that only lead to a database. */
    public static WorkerSettings of(String url, String user, String password) {
        return new WorkerSettings(0, "", 0, 0, "", url, user, password, "", 0, false, false, false, 0, 0, 0, "");
    }

    public void write(Path file) {
        Properties properties = new Properties();
        properties.setProperty("seed", Long.toString(seed));
        properties.setProperty("round", round);
        properties.setProperty("number", Integer.toString(number));
        properties.setProperty("startNanos", Long.toString(startNanos));
        properties.setProperty("history", history);
        properties.setProperty("url", url);
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("redis", redis);
        properties.setProperty("stage", Integer.toString(stage));
        properties.setProperty("dirtyPool", Boolean.toString(dirtyPool));
        properties.setProperty("plainPool", Boolean.toString(plainPool));
        properties.setProperty("flaky", Boolean.toString(flaky));
        properties.setProperty("clockHours", Integer.toString(clockHours));
        properties.setProperty("engines", Integer.toString(engines));
        properties.setProperty("threads", Integer.toString(threads));
        properties.setProperty("works", works);
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static WorkerSettings read(Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new WorkerSettings(
                Long.parseLong(properties.getProperty("seed")),
                properties.getProperty("round"),
                Integer.parseInt(properties.getProperty("number")),
                Long.parseLong(properties.getProperty("startNanos")),
                properties.getProperty("history"),
                properties.getProperty("url"),
                properties.getProperty("user"),
                properties.getProperty("password"),
                properties.getProperty("redis"),
                Integer.parseInt(properties.getProperty("stage")),
                Boolean.parseBoolean(properties.getProperty("dirtyPool")),
                Boolean.parseBoolean(properties.getProperty("plainPool")),
                Boolean.parseBoolean(properties.getProperty("flaky")),
                Integer.parseInt(properties.getProperty("clockHours")),
                Integer.parseInt(properties.getProperty("engines")),
                Integer.parseInt(properties.getProperty("threads")),
                properties.getProperty("works"));
    }

    boolean inMemory() {
        return url.isEmpty();
    }
}
