// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import dev.semel.Semel;
import dev.semel.spring.InvalidSetupException;
import dev.semel.spring.ResultCodecs;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelProperties;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.WebhookListener;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Receives webhooks for methods with {@link WebhookHandler}. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({WebhookGate.class, SimpleUrlHandlerMapping.class})
@EnableConfigurationProperties(WebhookProperties.class)
public final class WebhooksAutoConfiguration {
    /** Before the mapping of static resources, after that of controllers. */
    private static final int ORDER = 1;

    @Bean(destroyMethod = "shutdown")
    static WebhookThreads semelWebhookThreads(
            WebhookProperties properties, SemelProperties settings, ConfigurableApplicationContext context) {
        return new WebhookThreads(properties.webhookThreads(), settings.closeTimeout(), context);
    }

    @Bean
    static WebhookEndpoint semelWebhookEndpoint() {
        return new WebhookEndpoint();
    }

    @Bean
    static HandlerMapping semelWebhookMapping(WebhookEndpoint endpoint, WebhookProperties properties) {
        return new SimpleUrlHandlerMapping(Map.of(properties.webhookPath() + "/*", endpoint), ORDER);
    }

    /** When all beans exist, and before the web server accepts requests. */
    @Bean
    static SmartInitializingSingleton semelWebhookRoutes(
            WebhookEndpoint endpoint,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Semel> semel,
            ObjectProvider<ResultCodecs> codecs,
            ObjectProvider<SemelProperties> settings,
            WebhookProperties properties,
            ObjectProvider<WebhookListener> listeners,
            WebhookThreads threads) {
        return () -> {
            Map<String, AnnotatedHandler> handlers = new WebhookHandlers(beans, codecsOf(codecs)).all();
            if (handlers.isEmpty() && properties.webhooks().isEmpty()) {
                return;
            }
            List<WebhookListener> all = listeners.orderedStream().toList();
            endpoint.serve(new WebhookRoutes(
                            semel.getObject(),
                            properties,
                            settings.getObject().tenant(),
                            notice -> all.forEach(listener -> listener.onNotice(notice)),
                            threads)
                    .of(handlers));
        };
    }

    private static Supplier<ResultCodecs> codecsOf(ObjectProvider<ResultCodecs> codecs) {
        return SingletonSupplier.of(() -> codecs.getIfAvailable(() -> {
            throw new InvalidSetupException(
                    "The JSON of webhooks cannot be converted: there is no ResultCodecs bean.",
                    "Add Jackson, or take a WebhookEvent as the parameter of the handler.");
        }));
    }
}
