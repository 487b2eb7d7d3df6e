// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.NotDoneException;
import dev.semel.Outcome;
import dev.semel.RunContext;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.spring.ResultShape.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/**
 * Runs an {@link Idempotent} method of a bean:
 *
 * <ol>
 *   <li>Evaluate key, tenant and fingerprint from the arguments.
 *   <li>Execute the rest of the invocation under that key, with its {@link CurrentRun}.
 *   <li>Return the value, rethrow what the method threw now, or throw the {@link NotDoneException} of the outcome.
 * </ol>
 */
final class IdempotentInterceptor implements MethodInterceptor {
    private final Supplier<Semel> semel;
    private final GuardedMethods methods;
    private final CallFingerprints fingerprints;
    private final Supplier<CurrentTenant> tenants;

    IdempotentInterceptor(
            Supplier<Semel> semel,
            GuardedMethods methods,
            CallFingerprints fingerprints,
            Supplier<CurrentTenant> tenants) {
        this.semel = semel;
        this.methods = methods;
        this.fingerprints = fingerprints;
        this.tenants = tenants;
    }

    @Override
    @SuppressWarnings("NullAway") // It does not look into type arguments: the work may return null.
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        GuardedMethod method = methods.of(invocation.getMethod(), type);
        @Nullable Object[] arguments = invocation.getArguments();
        ArgumentExpression named = method.tenant();
        String tenant = named == null ? tenants.get().tenant() : named.text(arguments);
        ClaimKey key = method.operation().key(tenant, method.key().text(arguments));
        ArgumentExpression compared = method.fingerprint();
        Fingerprint fingerprint =
                compared == null ? Fingerprint.NONE : fingerprints.of(tenant, compared.value(arguments));
        if (method.shape().kind() == Kind.FUTURE) {
            return future(method, key, fingerprint, invocation);
        }
        Outcome<@Nullable Object> outcome = semel.get()
                .execute(
                        method.operation(),
                        key,
                        fingerprint,
                        run -> method.shape().unwrapped(called(method, invocation, run)));
        return method.shape().wrapped(result(outcome));
    }

    /** {@code return run.reject(...)} ends a method with a primitive result by a NullPointerException: that is a rejection too. */
    private static @Nullable Object called(GuardedMethod method, MethodInvocation invocation, RunContext run)
            throws Exception {
        if (!method.shape().isPrimitive()) {
            return proceed(invocation, run);
        }
        NotedRun noted = new NotedRun(run);
        try {
            return proceed(invocation, noted);
        } catch (NullPointerException e) {
            if (noted.isRejected()) {
                return null;
            }
            throw e;
        }
    }

    private CompletableFuture<@Nullable Object> future(
            GuardedMethod method, ClaimKey key, Fingerprint fingerprint, MethodInvocation invocation) {
        CompletableFuture<@Nullable Object> returned = new CompletableFuture<>();
        semel.get()
                .executeOnCaller(method.operation(), key, fingerprint, run -> stage(proceed(invocation, run)))
                .whenComplete((outcome, failure) -> {
                    if (failure != null) {
                        returned.completeExceptionally(failure);
                        return;
                    }
                    try {
                        returned.complete(result(outcome));
                    } catch (Throwable e) {
                        returned.completeExceptionally(e);
                    }
                });
        return returned;
    }

    @SuppressWarnings("unchecked") // The method returns a stage of the codec's type.
    private static CompletionStage<@Nullable Object> stage(@Nullable Object returned) {
        return returned == null
                ? CompletableFuture.completedFuture(null)
                : (CompletionStage<@Nullable Object>) returned;
    }

    /** Work of a transaction may run several times, and an invocation can proceed only once. */
    private static @Nullable Object proceed(MethodInvocation invocation, RunContext run) throws Exception {
        MethodInvocation fresh =
                invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        try {
            return CurrentRun.<@Nullable Object>during(run, fresh::proceed);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("The method threw neither an exception nor an error", e);
        }
    }

    private static @Nullable Object result(Outcome<@Nullable Object> outcome) throws Throwable {
        Throwable thrown = thrownNow(outcome);
        if (thrown == null) {
            return outcome.orElseThrow();
        }
        if (outcome instanceof Outcome.Unsettled) {
            try {
                outcome.orElseThrow();
            } catch (NotDoneException e) {
                thrown.addSuppressed(new IllegalStateException(e.getMessage()));
            }
        }
        throw thrown;
    }

    /** The exception of the method itself, if it ran now. */
    private static @Nullable Throwable thrownNow(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return retryable.cause();
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.cause();
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            return unknown.cause();
        }
        return outcome instanceof Outcome.Unsettled<?> unsettled ? unsettled.failure() : null;
    }
}
