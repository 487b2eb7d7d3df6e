// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import dev.semel.messaging.BatchFailedAtException;
import dev.semel.messaging.BatchMessageHandler;
import dev.semel.messaging.ClaimedMessage;
import dev.semel.messaging.ConsumerGate;
import dev.semel.messaging.Disposition;
import dev.semel.messaging.Disposition.Acknowledge;
import dev.semel.messaging.Disposition.Redeliver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.serializer.DeserializationException;

/**
 * Runs around the call of the listener. The container acknowledges a record after this returns, so after the claim is settled.
 * A {@code RecordInterceptor} could not do it: its {@code success} is called after the acknowledgment, and exceptions of it are
 * logged and dropped.
 */
final class GateAdvice<K, V> implements MethodInterceptor {
    private final ConsumerGate<ConsumerRecord<K, V>> gate;

    GateAdvice(ConsumerGate<ConsumerRecord<K, V>> gate) {
        this.gate = gate;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        @Nullable Object[] arguments = invocation.getArguments().clone();
        if (!invocation.getMethod().getName().equals("onMessage") || arguments.length == 0) {
            return invocation.proceed();
        }
        if (isAsync(invocation.getThis())) {
            throw new IllegalStateException(
                    "A gated listener must not return a future or a Mono, because its end is then unknown when"
                            + " the claim is settled: wait for it in the listener");
        }
        DeferredAcknowledgment deferred = defer(arguments);
        if (arguments[0] instanceof ConsumerRecord<?, ?> record) {
            one((ConsumerRecord<K, V>) record, new Listener(invocation, arguments), deferred);
        } else if (arguments[0] instanceof List<?> records) {
            batch((List<ConsumerRecord<K, V>>) records, new Listener(invocation, arguments), deferred);
        } else if (arguments[0] instanceof ConsumerRecords<?, ?>) {
            throw new IllegalStateException(
                    "A gated batch listener must receive a list: the gate leaves duplicates out of it, which"
                            + " it cannot do with ConsumerRecords");
        } else {
            return invocation.proceed();
        }
        return null;
    }

    /** Looks behind filters and other wrappers too. */
    private static boolean isAsync(@Nullable Object listener) {
        return (listener instanceof AsyncRepliesAware async && async.isAsyncReplies())
                || (listener instanceof DelegatingMessageListener<?> outer && isAsync(outer.getDelegate()));
    }

    private static @Nullable DeferredAcknowledgment defer(@Nullable Object[] arguments) {
        for (int i = 1; i < arguments.length; i++) {
            if (arguments[i] instanceof Acknowledgment given) {
                DeferredAcknowledgment deferred = new DeferredAcknowledgment(given);
                arguments[i] = deferred;
                return deferred;
            }
        }
        return null;
    }

    private void one(ConsumerRecord<K, V> record, Listener listener, @Nullable DeferredAcknowledgment deferred) {
        Disposition disposition = gate.receive(
                record,
                (message, run) -> ListenerRun.within(run, () -> {
                    listener.call(record);
                    if (deferred != null && deferred.nackSleep() != null) {
                        throw new NackedException();
                    }
                }));
        if (disposition instanceof Redeliver redeliver) {
            Duration sleep = deferred == null ? null : deferred.nackSleep();
            if (deferred == null || sleep == null) {
                throw new RedeliverException(redeliver);
            }
            deferred.container().nack(sleep);
        } else if (deferred != null) {
            acknowledge(deferred, disposition.equals(new Acknowledge(false)));
        }
    }

    private static void acknowledge(DeferredAcknowledgment deferred, boolean listenerDecides) {
        if (listenerDecides) {
            deferred.settled();
        } else {
            deferred.container().acknowledge();
        }
    }

    private void batch(
            List<ConsumerRecord<K, V>> records, Listener listener, @Nullable DeferredAcknowledgment deferred) {
        List<Disposition> dispositions = receiveAll(records, messages -> callWith(messages, listener, deferred));
        for (int i = 0; i < dispositions.size(); i++) {
            if (dispositions.get(i) instanceof Redeliver redeliver) {
                Duration sleep = deferred == null ? null : deferred.nackSleep();
                if (deferred == null || sleep == null) {
                    throw new BatchListenerFailedException(
                            "The batch stops at a record that is redelivered",
                            new RedeliverException(redeliver),
                            records.get(i));
                }
                deferred.container().nack(i, sleep);
                return;
            }
        }
        if (deferred != null) {
            boolean givenUp = deferred.nackSleep() != null;
            acknowledge(deferred, !givenUp && dispositions.contains(new Acknowledge(false)));
        }
    }

    /** Dispositions up to the first record that is redelivered. Records that could not be deserialized go to the sink. */
    private List<Disposition> receiveAll(
            List<ConsumerRecord<K, V>> records, BatchMessageHandler<ConsumerRecord<K, V>> handler) {
        List<Disposition> all = new ArrayList<>();
        while (all.size() < records.size() && all.stream().allMatch(Disposition::acknowledged)) {
            ConsumerRecord<K, V> next = records.get(all.size());
            DeserializationException failure = DeserializationFailures.of(next);
            if (failure == null) {
                all.addAll(gate.receiveAll(readable(records.subList(all.size(), records.size())), handler));
            } else {
                all.add(gate.unreadable(next, failure));
            }
        }
        return all;
    }

    /** The records before the first one that could not be deserialized. */
    private static <K, V> List<ConsumerRecord<K, V>> readable(List<ConsumerRecord<K, V>> records) {
        return records.stream()
                .takeWhile(record -> DeserializationFailures.of(record) == null)
                .toList();
    }

    private void callWith(
            List<ClaimedMessage<ConsumerRecord<K, V>>> messages,
            Listener listener,
            @Nullable DeferredAcknowledgment deferred)
            throws Exception {
        List<ConsumerRecord<K, V>> records = new ArrayList<>();
        messages.forEach(message -> records.add(message.message()));
        if (deferred != null) {
            deferred.begin();
        }
        try {
            ListenerRun.within(messages, () -> listener.call(records));
        } catch (Exception e) {
            throw indexed(e, records);
        }
        if (deferred != null && deferred.nackSleep() != null) {
            throw new BatchFailedAtException(deferred.nackIndex(), new NackedException());
        }
    }

    /** The listener's method with its arguments. The first one is replaced at each call. */
    private static final class Listener {
        private final MethodInvocation invocation;
        private final @Nullable Object[] arguments;

        Listener(MethodInvocation invocation, @Nullable Object[] arguments) {
            this.invocation = invocation;
            this.arguments = arguments;
        }

        /**
         * Calls the listener and unwraps its exception, so that the gate classifies the listener's own. A batch can call it
         * often.
         */
        void call(Object records) throws Exception {
            @Nullable Object[] own = arguments.clone();
            own[0] = records;
            try {
                ((ProxyMethodInvocation) invocation).invocableClone(own).proceed();
            } catch (ListenerExecutionFailedException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** If the listener says which record failed: the exception of the gate that says so. */
    private static <K, V> Exception indexed(Exception failure, List<ConsumerRecord<K, V>> records) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof BatchListenerFailedException failed) {
                ConsumerRecord<?, ?> record = failed.getRecord();
                int index = record == null ? failed.getIndex() : indexOf(record, records);
                return index < 0
                        ? failure
                        : new BatchFailedAtException(index, failed.getCause() == null ? failed : failed.getCause());
            }
        }
        return failure;
    }

    private static <K, V> int indexOf(ConsumerRecord<?, ?> record, List<ConsumerRecord<K, V>> records) {
        for (int i = 0; i < records.size(); i++) {
            ConsumerRecord<K, V> one = records.get(i);
            if (one.topic().equals(record.topic())
                    && one.partition() == record.partition()
                    && one.offset() == record.offset()) {
                return i;
            }
        }
        return -1;
    }
}
