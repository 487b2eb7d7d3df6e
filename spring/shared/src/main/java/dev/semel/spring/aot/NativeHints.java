// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.aot;

import dev.semel.spring.Idempotent;
import dev.semel.spring.webhooks.WebhookHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * What a native image must contain, found when the application is processed ahead of time: the schema files, the pages of the
 * console, and the types of arguments and results, which expressions and JSON read by reflection.
 */
final class NativeHints implements RuntimeHintsRegistrar, BeanRegistrationAotProcessor {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("dev/semel/jdbc/*/*.sql").registerPattern("dev/semel/console/files/*");
    }

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Set<Method> methods = MethodIntrospector.selectMethods(
                ClassUtils.getUserClass(bean.getBeanClass()),
                (Method method) -> AnnotatedElementUtils.hasAnnotation(method, Idempotent.class)
                        || AnnotatedElementUtils.hasAnnotation(method, WebhookHandler.class));
        if (methods.isEmpty()) {
            return null;
        }
        Type[] types = methods.stream()
                .flatMap(method -> Stream.concat(
                        List.of(method.getGenericParameterTypes()).stream(), Stream.of(method.getGenericReturnType())))
                .toArray(Type[]::new);
        return (generation, code) -> new BindingReflectionHintsRegistrar()
                .registerReflectionHints(generation.getRuntimeHints().reflection(), types);
    }
}
