// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.admin;

import dev.semel.spring.InvalidSetupException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Serves the console below the admin API's path if {@code semel.console.enabled} is set. */
@AutoConfiguration(after = AdminAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("semel.console.enabled")
@EnableConfigurationProperties(ConsoleProperties.class)
public final class ConsoleAutoConfiguration {
    @Bean
    static RouterFunction<ServerResponse> semelConsoleRoutes(ObjectProvider<AdminProperties> admin) {
        AdminProperties properties = admin.getIfAvailable();
        if (properties == null) {
            throw new InvalidSetupException(
                    "semel.console.enabled is set, but the admin API, which the console uses, is not enabled.",
                    "Set semel.admin.enabled=true, or remove semel.console.enabled.");
        }
        return new ConsoleEndpoint(properties.path() + "/console").routes();
    }
}
