// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import dev.semel.spring.InvalidSetupException;
import dev.semel.spring.ResultCodecs;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Finds the methods with {@link WebhookHandler}. */
final class WebhookHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookHandlers.class);

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<ResultCodecs> codecs;
    private final Map<String, AnnotatedHandler> found = new TreeMap<>();

    WebhookHandlers(ConfigurableListableBeanFactory beans, Supplier<ResultCodecs> codecs) {
        this.beans = beans;
        this.codecs = codecs;
    }

    /** The handlers by the name of their provider. */
    Map<String, AnnotatedHandler> all() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = typeOf(name);
            if (type != null
                    && !type.getName().startsWith("org.springframework.")
                    && AnnotationUtils.isCandidateClass(type, WebhookHandler.class)) {
                add(name, ClassUtils.getUserClass(type));
            }
        }
        return Map.copyOf(found);
    }

    private @Nullable Class<?> typeOf(String name) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, name);
        } catch (RuntimeException e) {
            LOG.debug("The type of bean {} is not known, so it receives no webhooks", name, e);
            return null;
        }
    }

    /** Handlers run on threads of their own, where no request and no session exists. */
    private void requireReachable(String bean, Class<?> type) {
        String scope = beans.containsBeanDefinition(bean)
                ? beans.getMergedBeanDefinition(bean).getScope()
                : null;
        if ("request".equals(scope) || "session".equals(scope)) {
            throw new InvalidSetupException(
                    "The bean %s (%s) handles webhooks and has the scope %s, but handlers run outside requests."
                            .formatted(bean, type.getName(), scope),
                    "Move the method with @WebhookHandler to a singleton or prototype bean.");
        }
    }

    private void add(String bean, Class<?> type) {
        Map<Method, WebhookHandler> annotated =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<WebhookHandler>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, WebhookHandler.class));
        if (annotated.isEmpty()) {
            return;
        }
        requireReachable(bean, type);
        if (ScopedProxyUtils.isScopedTarget(bean)) {
            // Its proxy is a bean of its own.
            return;
        }
        annotated.forEach((method, annotation) -> {
            Method invocable =
                    AopUtils.selectInvocableMethod(method, beans.getBean(bean).getClass());
            AnnotatedHandler handler = AnnotatedHandler.of(() -> beans.getBean(bean), invocable, codecs);
            AnnotatedHandler other = found.put(annotation.value(), handler);
            if (other != null) {
                throw new InvalidSetupException(
                        "Two methods receive the webhooks of %s: %s and %s."
                                .formatted(annotation.value(), other, handler),
                        "An event is processed by one method: remove one annotation, and call the other method from there.");
            }
        });
    }
}
