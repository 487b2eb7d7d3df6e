// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Applies the advice to {@link Idempotent} methods that have a key. It runs outside the advice of {@code @Transactional} and
 * {@code @Cacheable}, which have the lowest precedence by default, and inside that of method security.
 */
final class IdempotentAdvisor extends StaticMethodMatcherPointcutAdvisor {
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    IdempotentAdvisor(Advice advice) {
        super(advice);
        setOrder(ORDER);
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Idempotent.class)
                && !type.getName().startsWith("org.springframework."));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        // A JDK proxy asks with the method of an interface, and the annotation may be on the class.
        return GuardedMethods.annotationOn(AopUtils.getMostSpecificMethod(method, targetClass))
                .or(() -> GuardedMethods.annotationOn(method))
                .filter(annotation -> !annotation.key().isEmpty())
                .isPresent();
    }
}
