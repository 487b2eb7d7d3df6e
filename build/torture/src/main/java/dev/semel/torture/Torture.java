// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.torture.faults.FaultKind;
import dev.semel.torture.rules.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code ./semel torture}. */
@Command(
        name = "torture",
        mixinStandardHelpOptions = true,
        description =
                "Runs random workloads in several processes over one database, injects faults, and checks that no rule of"
                        + " the protocol was broken. Exit codes: 0 nothing found, 1 a rule was broken, 2 wrong usage, 3 it could not run.",
        exitCodeOnExecutionException = 3)
public final class Torture implements Callable<Integer> {
    private static final int ROUND = 30;

    /** The ledger can only grow. After so many rounds the servers are new. */
    private static final int ROUNDS_PER_SERVER = 10;

    private static final int SHOWN = 3;

    private static final List<String> WORKS = List.of(
            "plain",
            "manual",
            "aliased",
            "conflict",
            "burst",
            "step",
            "webhook",
            "operator",
            "transactional",
            "grouped",
            "ledger",
            "inbox");

    /** They need SQL, or a store that lists its claims. */
    private static final List<String> NOT_ON_DYNAMODB =
            List.of("operator", "transactional", "grouped", "ledger", "inbox");

    @Option(names = "--seconds", description = "how long there is load, in rounds of 30 s (default: ${DEFAULT-VALUE})")
    private int seconds = 60;

    @Option(names = "--seed", description = "decides workloads, faults and their times (default: random)")
    private long seed = ThreadLocalRandom.current().nextInt(1_000_000);

    @Option(
            names = "--store",
            description = "sqlite, postgresql, mariadb, mysql, mysql-cluster, mysql-primaries, dynamodb or memory"
                    + " (default: ${DEFAULT-VALUE})")
    private String store = "postgresql";

    @Option(
            names = "--faults",
            description =
                    "kill, pause, silence, delay, cut, lost-answer, vanish, session, lock, database, stall, partition,"
                            + " disk-full, redis, clock, dirty-pool, throttle, conflict, server-error, slow-answer, wrong-date,"
                            + " duplicate, separated by commas; all or none (default: ${DEFAULT-VALUE})")
    private String faults = "all";

    @Option(names = "--processes", description = "how many worker processes (default: ${DEFAULT-VALUE})")
    private int processes = 3;

    @Option(
            names = "--works",
            description =
                    "plain, manual, aliased, conflict, burst, step, webhook, operator, transactional, grouped, ledger, inbox,"
                            + " separated by commas (default: all)")
    private String works = "";

    @Option(
            names = "--planted",
            arity = "0..1",
            fallbackValue = "",
            description =
                    "plants known defects into copies of the sources, one after the other, and reports which are found; with a"
                            + " regular expression, only those whose name contains it")
    private @Nullable String planted;

    @Spec
    private @Nullable CommandSpec spec;

    private Torture() {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Returns the exit code. */
    static int run(String... arguments) {
        return new CommandLine(new Torture()).execute(arguments);
    }

    /** The class path of this process. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Override
    public Integer call() throws Exception {
        check();
        if (planted != null) {
            Path home = Path.of(System.getProperty("semel.home", "."));
            return new Planted(home, seed, Math.min(seconds, ROUND)).run(planted) ? 0 : 1;
        }
        TortureOptions options =
                new TortureOptions(store, seed, seconds, FaultKind.parse(faults), processes, works, classPath());
        System.out.println(options.command());
        if (works.isEmpty() && WORKS.stream().anyMatch(this::isLeftOut)) {
            System.out.println("Left out on this store: " + String.join(", ", NOT_ON_DYNAMODB));
        }
        Figures figures = new Figures();
        for (int done = 0; done < seconds; done += ROUND * ROUNDS_PER_SERVER) {
            int end = Math.min(seconds, done + ROUND * ROUNDS_PER_SERVER);
            if (!rounds(options, done, end, figures)) {
                System.out.println(figures);
                return 1;
            }
        }
        if (figures.operations.get() == 0) {
            System.out.println("No call was answered, so this says nothing: " + figures);
            return 3;
        }
        System.out.println("Nothing found in " + figures);
        System.out.println("Faults: " + figures.byKind());
        return 0;
    }

    /** A run that does nothing finds nothing, so what would do nothing is refused. */
    private void check() {
        require(seconds > 0, "--seconds must be positive, but is " + seconds);
        require(processes > 0, "--processes must be positive, but is " + processes);
        require(
                TortureServers.STORES.contains(store),
                "There is no store '%s'; use one of %s".formatted(store, TortureServers.STORES));
        for (String work : works.isEmpty() ? List.<String>of() : List.of(works.split(",", -1))) {
            require(WORKS.contains(work), "There is no workload '%s'; use some of %s".formatted(work, WORKS));
            require(
                    !isLeftOut(work),
                    "The workload '%s' needs SQL, or a store that lists its claims, which dynamodb is not; leave out %s"
                            .formatted(work, NOT_ON_DYNAMODB));
        }
        try {
            FaultKind.parse(faults);
        } catch (IllegalArgumentException e) {
            require(false, String.valueOf(e.getMessage()));
        }
    }

    private boolean isLeftOut(String work) {
        return store.equals("dynamodb") && NOT_ON_DYNAMODB.contains(work);
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
        }
    }

    /** Rounds on new servers. Returns whether nothing was found. */
    private static boolean rounds(TortureOptions options, int begin, int end, Figures figures) throws Exception {
        try (TortureServers servers = TortureServers.start(options.store(), options.faults(), options.classPath())) {
            for (int done = begin; done < end; done += ROUND) {
                int before = done;
                TortureOptions now = options.with(options.seed() + done / ROUND, Math.min(ROUND, end - done));
                List<Violation> found = new Round(
                                servers,
                                now,
                                figures,
                                (at, what) -> System.out.printf("%5d s  seed %d  %s%n", before + at, now.seed(), what))
                        .run();
                if (!found.isEmpty()) {
                    report(found, now);
                    return false;
                }
            }
        }
        return true;
    }

    private static void report(List<Violation> found, TortureOptions options) {
        Map<String, Long> rules =
                found.stream().collect(Collectors.groupingBy(Violation::rule, TreeMap::new, Collectors.counting()));
        rules.forEach((rule, count) -> System.out.printf("%d violations: %s%n", count, rule));
        found.stream().limit(SHOWN).forEach(System.out::println);
        System.out.println("Repeat with: " + options.command());
    }
}
