// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous context of a protected request. Completing it settles the claim first. The servlet's listeners are called
 * before a timeout or a failure is handled. They receive this context, not the container's.
 */
final class GuardedAsync implements AsyncContext, AsyncListener {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedAsync.class);

    private final AsyncContext container;
    private final GuardedExchange exchange;
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();

    private record Listening(
            AsyncListener listener,
            @Nullable ServletRequest request,
            @Nullable ServletResponse response) {}

    private interface Telling {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    private GuardedAsync(AsyncContext container, GuardedExchange exchange) {
        this.container = container;
        this.exchange = exchange;
    }

    static GuardedAsync of(AsyncContext container, GuardedExchange exchange) {
        GuardedAsync async = new GuardedAsync(container, exchange);
        container.addListener(async);
        exchange.startedAsync(container);
        return async;
    }

    @Override
    public void complete() {
        exchange.complete(container);
    }

    @Override
    public void dispatch() {
        exchange.dispatched();
        container.dispatch();
    }

    @Override
    public void dispatch(String path) {
        exchange.dispatched();
        container.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        exchange.dispatched();
        container.dispatch(context, path);
    }

    @Override
    public ServletRequest getRequest() {
        return container.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return container.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return container.hasOriginalRequestAndResponse();
    }

    @Override
    public void start(Runnable task) {
        container.start(task);
    }

    @Override
    public void addListener(AsyncListener listener) {
        listeners.add(new Listening(listener, null, null));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        listeners.add(new Listening(listener, request, response));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return container.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        container.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return container.getTimeout();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        tell(event, AsyncListener::onStartAsync);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        tell(event, AsyncListener::onTimeout);
        exchange.timedOut(container);
    }

    @Override
    public void onError(AsyncEvent event) {
        tell(event, AsyncListener::onError);
        Throwable failure = event.getThrowable();
        exchange.failed(container, failure == null ? new IOException("The asynchronous request failed") : failure);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        exchange.over();
        tell(event, AsyncListener::onComplete);
    }

    private void tell(AsyncEvent event, Telling telling) {
        for (Listening one : listeners) {
            try {
                telling.tell(one.listener(), new AsyncEvent(this, one.request(), one.response(), event.getThrowable()));
            } catch (IOException | RuntimeException e) {
                LOG.warn("A listener of an asynchronous request failed: {}", e.toString());
            }
        }
    }
}
