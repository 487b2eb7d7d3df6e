// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.spring.ResultShape.Kind;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Reads and checks the annotations of bean methods, each once. */
final class GuardedMethods {
    private final Supplier<ResultCodecs> codecs;
    private final Environment environment;
    private final Supplier<Stream<OperationCustomizer>> customizers;
    private final Map<MethodClassKey, GuardedMethod> known = new ConcurrentHashMap<>();
    private final Map<String, Declared> scopes = new ConcurrentHashMap<>();

    GuardedMethods(
            Supplier<ResultCodecs> codecs, Environment environment, Supplier<Stream<OperationCustomizer>> customizers) {
        this.codecs = codecs;
        this.environment = environment;
        this.customizers = customizers;
    }

    private record Declared(Type type, TransactionMode mode, Method method) {}

    /** The annotation of a method, of the method that it overrides, or of the interface that it implements. */
    static Optional<Idempotent> annotationOn(Method method) {
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class));
    }

    /**
     * The checked form of an annotated method.
     *
     * @throws InvalidSetupException if its annotation is invalid
     */
    GuardedMethod of(Method method, Class<?> target) {
        MethodClassKey id = new MethodClassKey(method, target);
        GuardedMethod guarded = known.get(id);
        if (guarded == null) {
            Method specific = AopUtils.getMostSpecificMethod(method, target);
            Idempotent annotation = annotationOn(specific)
                    .or(() -> annotationOn(method))
                    .orElseThrow(() -> new IllegalStateException(MethodNames.of(method) + " is not @Idempotent"));
            guarded = read(specific, target, annotation);
            known.put(id, guarded);
        }
        return guarded;
    }

    private GuardedMethod read(Method method, Class<?> target, Idempotent annotation) {
        if (annotation.key().isEmpty()) {
            throw new InvalidSetupException(
                    "@Idempotent on %s has no key.".formatted(MethodNames.of(method)),
                    "Name what identifies a call, for example key = \"#request.id\". Only handler methods of controllers have no"
                            + " key: theirs is in the Idempotency-Key header.");
        }
        ResultShape shape = ResultShape.of(method, target);
        requireOneType(method, annotation, shape.stored());
        if (annotation.transaction() == TransactionMode.JOIN) {
            requireSameTransaction(method, target);
        }
        if (shape.kind() == Kind.FUTURE && annotation.transaction() == TransactionMode.JOIN) {
            throw new InvalidSetupException(
                    "@Idempotent on %s joins a transaction and returns a future.".formatted(MethodNames.of(method)),
                    "A transaction belongs to one thread: return the value itself, or remove transaction = JOIN.");
        }
        return new GuardedMethod(
                operation(method, annotation, shape),
                shape,
                ArgumentExpression.of(method, "key", annotation.key()),
                expression(method, "tenant", annotation.tenant()),
                expression(method, "fingerprint", annotation.fingerprint()));
    }

    /** The claim would be in one transaction and the effect in another, or in none. */
    private static void requireSameTransaction(Method method, Class<?> target) {
        // Not a constant: an application without spring-tx does not have these classes.
        Set<Propagation> leaving = Set.of(Propagation.REQUIRES_NEW, Propagation.NOT_SUPPORTED, Propagation.NEVER);
        Transactional own = AnnotatedElementUtils.findMergedAnnotation(method, Transactional.class);
        Transactional declared =
                own == null ? AnnotatedElementUtils.findMergedAnnotation(target, Transactional.class) : own;
        if (declared != null && leaving.contains(declared.propagation())) {
            throw new InvalidSetupException(
                    "@Idempotent on %s has transaction = JOIN, but its @Transactional has propagation = %s, which leaves the transaction of the claim."
                            .formatted(MethodNames.of(method), declared.propagation()),
                    "Remove the propagation, or remove transaction = JOIN.");
        }
    }

    private static @Nullable ArgumentExpression expression(Method method, String attribute, String text) {
        return text.isEmpty() ? null : ArgumentExpression.of(method, attribute, text);
    }

    /** A stored result must be readable by every method of its scope. */
    private void requireOneType(Method method, Idempotent annotation, Type type) {
        String scope = annotation.scope();
        Declared first = scopes.computeIfAbsent(scope, any -> new Declared(type, annotation.transaction(), method));
        if ((first.mode() == TransactionMode.JOIN) != (annotation.transaction() == TransactionMode.JOIN)) {
            throw new InvalidSetupException(
                    "The scope %s is used with transaction = JOIN by one of %s and %s, and without it by the other."
                            .formatted(scope, MethodNames.of(first.method()), MethodNames.of(method)),
                    "A claim in a transaction and one outside are two claims, so both methods would run: use one mode, or two scopes.");
        }
        if (!first.type().equals(type)) {
            throw new InvalidSetupException(
                    "The scope %s is used for results of two types: %s by %s, and %s by %s."
                            .formatted(
                                    scope,
                                    first.type().getTypeName(),
                                    MethodNames.of(first.method()),
                                    type.getTypeName(),
                                    MethodNames.of(method)),
                    "Give each operation a scope of its own. Change the scope of the newer method, because results are stored"
                            + " under the older one.");
        }
    }

    private Operation<@Nullable Object> operation(Method method, Idempotent annotation, ResultShape shape) {
        Operation<@Nullable Object> operation;
        try {
            operation = Operation.of(annotation.scope(), codec(shape));
        } catch (IllegalArgumentException e) {
            throw new InvalidSetupException(
                    "@Idempotent on %s has an invalid scope: %s.".formatted(MethodNames.of(method), e.getMessage()),
                    "Write a name such as orders.create.",
                    e);
        }
        operation = withDurations(method, annotation, operation);
        operation = switch (annotation.onStale()) {
            case RERUN -> operation;
            case PARK -> operation.parkWhenStale();
            case RECONCILE ->
                throw new InvalidSetupException(
                        "@Idempotent on %s has onStale = RECONCILE, which needs a probe."
                                .formatted(MethodNames.of(method)),
                        "Add an OperationCustomizer bean that returns operation.reconcileWhenStale(probe) for the scope %s, and remove onStale."
                                .formatted(annotation.scope()));
        };
        operation = switch (annotation.transaction()) {
            case REFUSE -> operation;
            case JOIN -> operation.joinTransaction();
            case OUTSIDE -> operation.outsideTransaction();
        };
        for (OperationCustomizer customizer : customizers.get().toList()) {
            operation = customizer.customize(operation);
        }
        return operation;
    }

    private Operation<@Nullable Object> withDurations(
            Method method, Idempotent annotation, Operation<@Nullable Object> operation) {
        Operation<@Nullable Object> with = operation;
        if (!annotation.lease().isEmpty()) {
            Duration lease = duration(method, "lease", annotation.lease());
            with = checked(method, "lease", with, given -> given.withLease(lease));
        }
        if (!annotation.ttl().isEmpty()) {
            Duration ttl = duration(method, "ttl", annotation.ttl());
            with = checked(method, "ttl", with, given -> given.withTtl(ttl));
        }
        if (!annotation.waitUpTo().isEmpty()) {
            Duration wait = duration(method, "waitUpTo", annotation.waitUpTo());
            with = checked(method, "waitUpTo", with, given -> given.waitingUpTo(wait));
        }
        return with;
    }

    private static Operation<@Nullable Object> checked(
            Method method, String attribute, Operation<@Nullable Object> operation, Setting setting) {
        try {
            return setting.apply(operation);
        } catch (IllegalArgumentException e) {
            throw new InvalidSetupException(
                    "%s of @Idempotent on %s is out of range: %s."
                            .formatted(attribute, MethodNames.of(method), e.getMessage()),
                    "Choose a value in that range.",
                    e);
        }
    }

    private interface Setting {
        Operation<@Nullable Object> apply(Operation<@Nullable Object> operation);
    }

    private Duration duration(Method method, String attribute, String text) {
        return duration(environment, method, attribute, text);
    }

    /** Reads a duration of an annotation, with placeholders. */
    static Duration duration(Environment environment, Method method, String attribute, String text) {
        try {
            return DurationStyle.detectAndParse(environment.resolveRequiredPlaceholders(text));
        } catch (IllegalArgumentException e) {
            throw new InvalidSetupException(
                    "%s = \"%s\" of @Idempotent on %s is not a duration."
                            .formatted(attribute, text, MethodNames.of(method)),
                    "Write it as P1D, PT30S, 24h or 30s, or as a placeholder with such a value.",
                    e);
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // The codec is one for the method's own type; null never reaches it.
    private Codec<@Nullable Object> codec(ResultShape shape) {
        Codec<?> codec = shape.kind() == Kind.NOTHING || shape.stored() == Void.class
                ? Codec.nothing()
                : Objects.requireNonNull(codecs.get().of(shape.stored()), "A codec must not be null");
        return (Codec<@Nullable Object>) codec;
    }
}
