// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.io.InputStream;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/**
 * How a method returns its result, and the type of what is stored.
 *
 * @param stored the type that the codec writes; {@code void} if there is nothing to write
 */
record ResultShape(Kind kind, Type stored) {
    /** What is around the stored value. */
    enum Kind {
        NOTHING,
        PLAIN,
        OPTIONAL,
        FUTURE
    }

    private static final Set<String> NOT_STORABLE = Set.of(
            "org.reactivestreams.Publisher",
            "org.springframework.http.HttpEntity",
            "jakarta.servlet.http.HttpServletResponse");

    /** @throws InvalidSetupException if results of the method's type cannot be stored */
    static ResultShape of(Method method, Class<?> target) {
        Type declared = GenericTypeResolver.resolveType(method.getGenericReturnType(), target);
        requireKnown(method, declared);
        ResolvableType type = ResolvableType.forType(declared);
        Class<?> raw = type.toClass();
        if (raw == void.class || raw == Void.class) {
            return new ResultShape(Kind.NOTHING, void.class);
        }
        if (raw == Optional.class) {
            return new ResultShape(Kind.OPTIONAL, type.getGeneric(0).getType());
        }
        if (raw == CompletableFuture.class || raw == CompletionStage.class) {
            return new ResultShape(Kind.FUTURE, type.getGeneric(0).getType());
        }
        if (Future.class.isAssignableFrom(raw)
                || CompletionStage.class.isAssignableFrom(raw)
                || BaseStream.class.isAssignableFrom(raw)
                || Iterator.class.isAssignableFrom(raw)
                || InputStream.class.isAssignableFrom(raw)
                || isNamed(raw)) {
            throw new InvalidSetupException(
                    "@Idempotent on %s cannot store a %s.".formatted(MethodNames.of(method), raw.getName()),
                    "Return a value, Optional, CompletableFuture or void. On a handler method of a controller, leave the key out:"
                            + " the key then comes from the Idempotency-Key header, and the whole response is stored.");
        }
        return new ResultShape(Kind.PLAIN, declared);
    }

    /** A replay could not restore a type that only the caller of the method knows. */
    private static void requireKnown(Method method, Type declared) {
        if (hasVariable(declared)) {
            throw new InvalidSetupException(
                    "@Idempotent on %s returns %s, whose type is chosen by each caller, so a stored result cannot be read again."
                            .formatted(MethodNames.of(method), declared.getTypeName()),
                    "Return a concrete type. A type variable of the class works if the bean's class sets it.");
        }
    }

    private static boolean hasVariable(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return Stream.of(parameterized.getActualTypeArguments()).anyMatch(ResultShape::hasVariable);
        }
        if (type instanceof WildcardType wildcard) {
            return Stream.of(wildcard.getUpperBounds()).anyMatch(ResultShape::hasVariable);
        }
        return type instanceof TypeVariable
                || (type instanceof GenericArrayType array && hasVariable(array.getGenericComponentType()));
    }

    /** Whether the method cannot return null. */
    boolean isPrimitive() {
        return kind == Kind.PLAIN && stored instanceof Class<?> type && type.isPrimitive();
    }

    private static boolean isNamed(@Nullable Class<?> type) {
        if (type == null) {
            return false;
        }
        if (NOT_STORABLE.contains(type.getName()) || isNamed(type.getSuperclass())) {
            return true;
        }
        for (Class<?> implemented : type.getInterfaces()) {
            if (isNamed(implemented)) {
                return true;
            }
        }
        return false;
    }

    /** What is stored of a result of the method. */
    @Nullable
    Object unwrapped(@Nullable Object result) {
        return kind == Kind.OPTIONAL && result instanceof Optional<?> optional ? optional.orElse(null) : result;
    }

    /** What the caller receives for a stored value. */
    @Nullable
    Object wrapped(@Nullable Object value) {
        return kind == Kind.OPTIONAL ? Optional.ofNullable(value) : value;
    }
}
