// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The request that the servlet receives. Its body is in memory and can be read again. */
final class RepeatableRequest extends HttpServletRequestWrapper {
    private final byte[] body;
    private final GuardedExchange exchange;
    private final AnswerBuffer answer;
    private volatile @Nullable GuardedAsync async;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private @Nullable String encoding;
    private @Nullable Map<String, List<String>> fields;
    private @Nullable List<Part> parts;

    RepeatableRequest(HttpServletRequest request, byte[] body, GuardedExchange exchange, AnswerBuffer answer) {
        super(request);
        this.body = body;
        this.exchange = exchange;
        this.answer = answer;
    }

    @Override
    public ServletInputStream getInputStream() {
        if (reader != null) {
            throw new IllegalStateException("getReader was already called");
        }
        if (stream == null) {
            stream = new BodyStream(body, exchange);
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (reader == null) {
            if (stream != null) {
                throw new IllegalStateException("getInputStream was already called");
            }
            String known = getCharacterEncoding();
            reader = new BufferedReader(new InputStreamReader(
                    new BodyStream(body, exchange), known == null ? StandardCharsets.ISO_8859_1.name() : known));
        }
        return reader;
    }

    /** Keeps the encoding here, because a container ignores it after the body was read. */
    @Override
    public void setCharacterEncoding(String value) throws UnsupportedEncodingException {
        try {
            Charset.forName(value);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new UnsupportedEncodingException(value);
        }
        encoding = value;
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return encoding == null ? super.getCharacterEncoding() : encoding;
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null || values.length == 0 ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /** The parameters of the query first, as in containers, then those of a form. */
    @Override
    public Map<String, String[]> getParameterMap() {
        Map<String, String[]> all = new LinkedHashMap<>(super.getParameterMap());
        fields().forEach((name, values) -> {
            String[] query = all.getOrDefault(name, new String[0]);
            String[] both = new String[query.length + values.size()];
            System.arraycopy(query, 0, both, 0, query.length);
            for (int i = 0; i < values.size(); i++) {
                both[query.length + i] = values.get(i);
            }
            all.put(name, both);
        });
        return Collections.unmodifiableMap(all);
    }

    private Map<String, List<String>> fields() {
        Map<String, List<String>> known = fields;
        if (known == null) {
            String named = getCharacterEncoding();
            Charset charset = named == null ? StandardCharsets.UTF_8 : Charset.forName(named);
            if (hasType("application/x-www-form-urlencoded")) {
                known = FormFields.of(body, charset);
            } else if (hasType("multipart/form-data")) {
                known = FormFields.of(parts(), charset);
            } else {
                known = Map.of();
            }
            fields = known;
        }
        return known;
    }

    private boolean hasType(String wanted) {
        String type = getContentType();
        return type != null
                && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(wanted);
    }

    @Override
    public Collection<Part> getParts() throws ServletException {
        if (!hasType("multipart/form-data")) {
            throw new ServletException("The request must be multipart/form-data, but is " + getContentType());
        }
        return parts();
    }

    @Override
    public @Nullable Part getPart(String name) throws ServletException {
        return getParts().stream()
                .filter(part -> part.getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private List<Part> parts() {
        List<Part> known = parts;
        if (known == null) {
            known = Multipart.parts(Objects.requireNonNull(getContentType()), body, getServletContext());
            parts = known;
        }
        return known;
    }

    /** Uses the recording response. Output to the container's response would not be stored. */
    @Override
    public AsyncContext startAsync() {
        return startAsync(this, answer);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        GuardedAsync started = GuardedAsync.of(super.startAsync(request, response), exchange);
        async = started;
        return started;
    }

    @Override
    public AsyncContext getAsyncContext() {
        GuardedAsync started = async;
        return started == null ? super.getAsyncContext() : started;
    }
}
