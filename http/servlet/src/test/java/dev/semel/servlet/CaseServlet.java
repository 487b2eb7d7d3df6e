// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.http.HeaderLine;
import dev.semel.http.cases.CaseApplication;
import dev.semel.http.cases.Script;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The application of the shared cases, as a servlet. */
final class CaseServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient CaseApplication application = new CaseApplication();
    private final Mode mode;

    /** How the servlet answers. */
    enum Mode {
        /** On the container's thread. */
        BLOCKING,
        /** On another thread, which completes the request. */
        ASYNCHRONOUS,
        /** On the container's thread, after another thread has dispatched the request. */
        DISPATCHED
    }

    CaseServlet(Mode mode) {
        this.mode = mode;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            answer((Script) request.getAttribute("script"), response);
            return;
        }
        Script script = application.begin(call(request));
        if (mode == Mode.BLOCKING || request.getRequestURI().startsWith("/_control/")) {
            if (script.flushed().isPresent()) {
                start(script, response);
            }
            script.gate().ifPresent(application::pass);
            answer(script, response);
            return;
        }
        AsyncContext context = request.startAsync();
        context.setTimeout(60_000);
        request.setAttribute("script", script);
        Thread thread = new Thread(() -> goOn(context, script));
        thread.setDaemon(true);
        thread.start();
    }

    private void goOn(AsyncContext context, Script script) {
        HttpServletResponse response = (HttpServletResponse) context.getResponse();
        try {
            if (script.flushed().isPresent()) {
                start(script, response);
            }
            script.gate().ifPresent(application::pass);
            if (mode == Mode.DISPATCHED) {
                context.dispatch();
                return;
            }
            if (script.end() == Script.End.THROW) {
                response.sendError(500);
            } else {
                answer(script, response);
            }
        } catch (IOException e) {
            getServletContext().log("The client has disconnected", e);
        }
        context.complete();
    }

    private static void start(Script script, HttpServletResponse response) throws IOException {
        head(script, response);
        response.getOutputStream().write(script.flushed().orElseThrow());
        response.flushBuffer();
    }

    private static void answer(Script script, HttpServletResponse response) throws IOException {
        switch (script.end()) {
            case THROW -> throw new IllegalStateException("Requested by the query");
            case SEND_ERROR -> response.sendError(script.status(), "Requested by the query");
            case ANSWER -> {
                if (script.flushed().isEmpty()) {
                    head(script, response);
                }
                response.getOutputStream().write(script.body());
                // Most frameworks do this.
                response.getOutputStream().flush();
            }
        }
    }

    private static void head(Script script, HttpServletResponse response) {
        response.setStatus(script.status());
        script.headers().forEach(line -> response.addHeader(line.name(), line.value()));
    }

    private static CaseApplication.Call call(HttpServletRequest request) throws IOException {
        List<HeaderLine> headers = new ArrayList<>();
        Collections.list(request.getHeaderNames())
                .forEach(name -> Collections.list(request.getHeaders(name))
                        .forEach(value -> headers.add(new HeaderLine(name, value))));
        return new CaseApplication.Call(
                request.getMethod(),
                request.getRequestURI(),
                Optional.ofNullable(request.getQueryString()).orElse(""),
                headers,
                request.getInputStream().readAllBytes());
    }
}
