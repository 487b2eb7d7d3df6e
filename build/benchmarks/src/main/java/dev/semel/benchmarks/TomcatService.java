// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.http.ApiGate;
import dev.semel.http.ApiRules;
import dev.semel.http.KeyPolicy;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.servlet.IdempotencyFilter;
import dev.semel.servlet.Route;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/**
 * A service in Tomcat, in a separate process. Its servlet reads a request and answers with the same bytes, at {@link #PLAIN}
 * without a filter and at {@link #FILTERED} behind Semel's filter.
 */
public final class TomcatService {
    static final String PLAIN = "/plain/orders";
    static final String FILTERED = "/saved/orders";

    private TomcatService() {}

    /** Starts it with responses of this length. Its filter uses a new database of this server. */
    static JavaServer start(int length, BenchDatabase database) throws IOException {
        Map<String, String> environment = Map.of("BENCH_USER", database.user(), "BENCH_PASSWORD", database.password());
        String url = database.createDatabase("filter");
        return JavaServer.start(environment, folder -> {
            List<String> command = new ArrayList<>(Launcher.java());
            command.addAll(List.of(
                    "--class-path",
                    System.getProperty("java.class.path"),
                    TomcatService.class.getName(),
                    JavaServer.portFile(folder).toString(),
                    Integer.toString(length),
                    url));
            return command;
        });
    }

    public static void main(String[] arguments) throws Exception {
        Path portFile = Path.of(arguments[0]);
        byte[] constant = "x".repeat(Integer.parseInt(arguments[1])).getBytes(StandardCharsets.US_ASCII);
        IdempotencyFilter filter = filter(arguments[2]);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(portFile.resolveSibling("tomcat").toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        // By default Tomcat closes a connection after 100 requests.
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext(
                "", portFile.resolveSibling("").toAbsolutePath().toString());
        context.addServletContainerInitializer((types, servlets) -> install(servlets, filter, constant), Set.of());
        tomcat.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(tomcat)));
        Path written = Files.writeString(
                Path.of(portFile + ".part"),
                Integer.toString(tomcat.getConnector().getLocalPort()));
        Files.move(written, portFile, StandardCopyOption.ATOMIC_MOVE);
        tomcat.getServer().await();
    }

    private static IdempotencyFilter filter(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(System.getenv("BENCH_USER"));
        config.setPassword(System.getenv("BENCH_PASSWORD"));
        config.setMaximumPoolSize(16);
        HikariDataSource pool = new HikariDataSource(config);
        Schema.of(pool).migrate();
        Secrets secrets = Secrets.of(Secret.of("0123456789abcdef0123456789abcdef"));
        Semel semel = Semel.on(JdbcClaimStore.on(pool))
                .secrets(secrets)
                .withoutSweep()
                .build();
        return IdempotencyFilter.on(new ApiGate(semel))
                .route(Route.of(ApiRules.of(FILTERED).withKey(KeyPolicy.OPTIONAL)))
                .build();
    }

    private static void install(ServletContext servlets, IdempotencyFilter filter, byte[] constant) {
        servlets.addServlet("orders", new Orders(constant)).addMapping(PLAIN, FILTERED);
        FilterRegistration.Dynamic registration = servlets.addFilter("idempotency", filter);
        registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, FILTERED);
    }

    private static void stop(Tomcat tomcat) {
        try {
            tomcat.stop();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Orders extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final byte[] constant;

        Orders(byte[] constant) {
            this.constant = constant;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().readAllBytes();
            response.setContentType("application/octet-stream");
            response.setContentLength(constant.length);
            response.getOutputStream().write(constant);
        }
    }
}
