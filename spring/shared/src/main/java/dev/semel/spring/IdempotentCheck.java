// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Checks all {@link Idempotent} methods at start, also those of beans that are created later. An invalid annotation is an
 * error. A method that no proxy guards is a warning.
 */
final class IdempotentCheck implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentCheck.class);

    /** By name, because an application without Spring MVC does not have the class. */
    private static final String REQUEST_MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    private final ConfigurableListableBeanFactory beans;
    private final GuardedMethods methods;

    IdempotentCheck(ConfigurableListableBeanFactory beans, GuardedMethods methods) {
        this.beans = beans;
        this.methods = methods;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = typeOf(name);
            if (type != null
                    && !type.getName().startsWith("org.springframework.")
                    && AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
                check(name, ClassUtils.getUserClass(type));
            }
        }
    }

    private @Nullable Class<?> typeOf(String name) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, name);
        } catch (RuntimeException e) {
            LOG.debug("The type of bean {} is not known, so its methods are not checked", name, e);
            return null;
        }
    }

    private void check(String name, Class<?> type) {
        warnOfUnreachable(type);
        Map<Method, Idempotent> annotated =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<Idempotent>)
                        method -> GuardedMethods.annotationOn(method).orElse(null));
        boolean advised = false;
        for (Map.Entry<Method, Idempotent> entry : annotated.entrySet()) {
            Method method = entry.getKey();
            if (entry.getValue().key().isEmpty() && isHandler(method)) {
                continue;
            }
            methods.of(method, type);
            if (isGuardable(method)) {
                advised = true;
            }
        }
        if (advised && beans.containsSingleton(name) && !isAdvised(beans.getSingleton(name))) {
            LOG.warn(
                    "@Idempotent on methods of bean {} has no effect: the bean was created before proxies could be made. It is a"
                            + " dependency of a BeanPostProcessor or of a similar early bean; inject it lazily there",
                    name);
        }
    }

    private static boolean isHandler(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, requestMapping());
    }

    @SuppressWarnings("unchecked") // The class is an annotation.
    private static Class<? extends java.lang.annotation.Annotation> requestMapping() {
        ClassLoader loader = IdempotentCheck.class.getClassLoader();
        return ClassUtils.isPresent(REQUEST_MAPPING, loader)
                ? (Class<? extends java.lang.annotation.Annotation>)
                        ClassUtils.resolveClassName(REQUEST_MAPPING, loader)
                : Idempotent.class;
    }

    private static boolean isAdvised(@Nullable Object bean) {
        if (!(bean instanceof Advised advised)) {
            return false;
        }
        for (Advisor advisor : advised.getAdvisors()) {
            if (advisor instanceof IdempotentAdvisor) {
                return true;
            }
        }
        return false;
    }

    /** Static, private and final methods: a proxy cannot override them. */
    private static void warnOfUnreachable(Class<?> type) {
        Set<Method> all = Set.of(ReflectionUtils.getUniqueDeclaredMethods(type));
        for (Method method : all) {
            if (method.isAnnotationPresent(Idempotent.class) && !isGuardable(method)) {
                LOG.warn(
                        "@Idempotent on {} has no effect, because Spring cannot guard a {} method: make it public, neither final"
                                + " nor static, and call it from another bean",
                        MethodNames.of(method),
                        Modifier.isStatic(method.getModifiers())
                                ? "static"
                                : Modifier.isPrivate(method.getModifiers()) ? "private" : "final");
            }
        }
    }

    private static boolean isGuardable(Method method) {
        return (method.getModifiers() & (Modifier.STATIC | Modifier.PRIVATE | Modifier.FINAL)) == 0;
    }
}
