// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import dev.semel.Codec;
import dev.semel.claim.StoredResult;
import dev.semel.spring.InvalidSetupException;
import dev.semel.spring.ResultCodecs;
import dev.semel.webhooks.EventHandler;
import dev.semel.webhooks.WebhookEvent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ReflectionUtils;

/** A method of a bean that handles the events of one provider. */
final class AnnotatedHandler implements EventHandler.Blocking {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookHandler.class);

    private final Supplier<Object> bean;
    private final Method method;
    private final @Nullable Codec<?> codec;

    private AnnotatedHandler(Supplier<Object> bean, Method method, @Nullable Codec<?> codec) {
        this.bean = bean;
        this.method = method;
        this.codec = codec;
    }

    /**
     * @param bean the bean, as a proxy if it has one
     * @param method an invocable method of the bean
     * @throws InvalidSetupException if the method cannot handle events
     */
    static AnnotatedHandler of(Supplier<Object> bean, Method method, Supplier<ResultCodecs> codecs) {
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            throw invalid(method, "is static or private", "Make it an ordinary method of the bean.");
        }
        if (method.getParameterCount() != 1) {
            throw invalid(
                    method,
                    "has %d parameters".formatted(method.getParameterCount()),
                    "Give it one: a WebhookEvent, or the type that the event's JSON is converted to.");
        }
        Class<?> result = method.getReturnType();
        if (result != void.class && !CompletionStage.class.isAssignableFrom(result)) {
            throw invalid(
                    method,
                    "returns " + result.getName(),
                    "Return nothing, or a CompletionStage that completes when the event is processed.");
        }
        ReflectionUtils.makeAccessible(method);
        return new AnnotatedHandler(
                bean,
                method,
                method.getParameterTypes()[0] == WebhookEvent.class
                        ? null
                        : codecs.get().of(method.getGenericParameterTypes()[0]));
    }

    private static InvalidSetupException invalid(Method method, String what, String action) {
        return new InvalidSetupException(
                "@WebhookHandler on %s cannot receive events: the method %s.".formatted(nameOf(method), what), action);
    }

    static String nameOf(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    @Override
    public void handle(WebhookEvent event) throws Exception {
        try {
            call(codec == null ? event : converted(codec, event));
        } catch (Exception e) {
            // The message may contain parts of the event, so only the debug log has it.
            LOG.warn(
                    "{} threw {}; the provider is asked to deliver the event again. Log {} at debug level for the stack trace",
                    this,
                    e.getClass().getName(),
                    LOG.getName());
            LOG.debug("{} threw an exception", this, e);
            throw e;
        }
    }

    private Object converted(Codec<?> by, WebhookEvent event) {
        try {
            return by.decode(new StoredResult("application/json", event.json().utf8()));
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "The event's JSON cannot be converted to %s, the parameter of %s"
                            .formatted(method.getGenericParameterTypes()[0].getTypeName(), this),
                    e);
        }
    }

    private void call(Object argument) throws Exception {
        try {
            Object returned = method.invoke(bean.get(), argument);
            if (returned instanceof CompletionStage<?> stage) {
                stage.toCompletableFuture().get();
            }
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        }
    }

    @Override
    public String toString() {
        return nameOf(method);
    }
}
