// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** A Spring Boot application with the console, behind Spring Security as docs/spring.md configures it. */
enum SecuredApplication {
    BOOT_4("springsecurity7", 0),
    BOOT_3("springsecurity6", 1);

    static final String PASSWORD = "a password of this test";

    private static final Pattern DOCUMENTED =
            Pattern.compile("```java\n(@Bean\nSecurityFilterChain .*?)```", Pattern.DOTALL);

    /** What the application already has: users, and claims whose outcome is unknown. */
    private static final String SOURCE = """
            package secured;

            import dev.semel.ClaimOutcome;
            import dev.semel.Semel;
            import dev.semel.claim.ClaimKey;
            import dev.semel.claim.Fingerprint;
            import dev.semel.claim.Status;
            import dev.semel.claim.Terms;
            import java.nio.file.Files;
            import java.nio.file.Path;
            import java.time.Duration;
            import org.springframework.boot.ApplicationRunner;
            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.context.annotation.Bean;
            import org.springframework.core.env.Environment;
            import org.springframework.security.config.Customizer;
            import org.springframework.security.config.annotation.web.builders.HttpSecurity;
            import org.springframework.security.core.userdetails.User;
            import org.springframework.security.core.userdetails.UserDetails;
            import org.springframework.security.core.userdetails.UserDetailsService;
            import org.springframework.security.provisioning.InMemoryUserDetailsManager;
            import org.springframework.security.web.SecurityFilterChain;
            import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
            import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;

            @SpringBootApplication
            public class Application {
                public static void main(String[] arguments) {
                    SpringApplication.run(Application.class, arguments);
                }

                @Bean
                UserDetailsService users() {
                    return new InMemoryUserDetailsManager(
                            user("olga", "SEMEL_OPERATOR"), user("victor", "SEMEL_VIEWER"), user("carl", "CUSTOMER"));
                }

                private static UserDetails user(String name, String role) {
                    return User.withUsername(name).password("{noop}%s").roles(role).build();
                }

                @Bean
                ApplicationRunner ready(Semel semel, Environment environment) {
                    return arguments -> {
                        for (int i = 1; i <= 3; i++) {
                            ClaimKey key = new ClaimKey("default", "card.charge", "order-" + i);
                            var claim = semel.claim(key, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO).toCompletableFuture().get();
                            semel.settle(((ClaimOutcome.Granted) claim).claim(), Status.UNKNOWN, null, "no answer")
                                    .toCompletableFuture().get();
                        }
                        Files.writeString(Path.of(environment.getProperty("port.file")), environment.getProperty("local.server.port"));
                    };
                }

            %s
            }
            """;

    private final String module;
    private final int documented;

    /**
     * @param module has the class path
     * @param documented which of the beans in docs/spring.md
     */
    SecuredApplication(String module, int documented) {
        this.module = module;
        this.documented = documented;
    }

    JvmServer start() throws IOException, InterruptedException {
        Path root = Path.of(System.getProperty("semel.root"));
        Path folder = TestBrowser.folder();
        String libraries = Files.readString(root.resolve("build/%s/target/runtime-classpath.txt".formatted(module)));
        compile(libraries, folder, documented(root));
        return JvmServer.start(
                List.of(
                        "--class-path",
                        folder + File.pathSeparator + libraries,
                        "secured.Application",
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--port.file=" + JvmServer.portFile(folder),
                        "--semel.secret=a secret that is long enough for a test of the console",
                        "--semel.sqlite=" + folder.resolve("claims.db"),
                        "--semel.admin.enabled=true",
                        "--semel.console.enabled=true"),
                folder);
    }

    private String documented(Path root) throws IOException {
        List<String> beans = DOCUMENTED
                .matcher(Files.readString(root.resolve("docs/spring.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        if (beans.size() != values().length) {
            throw new AssertionError("docs/spring.md has %d security filter chains".formatted(beans.size()));
        }
        return beans.get(documented);
    }

    private static void compile(String libraries, Path folder, String security) throws IOException {
        Path source = Files.writeString(folder.resolve("Application.java"), SOURCE.formatted(PASSWORD, security));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-parameters",
                        "-proc:none",
                        "-classpath",
                        libraries,
                        "-d",
                        folder.toString(),
                        source.toString());
        if (result != 0) {
            throw new AssertionError("The lines in docs/spring.md do not compile; see above");
        }
    }
}
