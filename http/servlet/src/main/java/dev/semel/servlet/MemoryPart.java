// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a multipart form in memory. */
final class MemoryPart implements Part {
    private final String name;
    private final @Nullable String fileName;
    private final Map<String, List<String>> headers;
    private final byte[] content;
    private final ServletContext context;

    MemoryPart(
            String name,
            @Nullable String fileName,
            Map<String, List<String>> headers,
            byte[] content,
            ServletContext context) {
        this.name = name;
        this.fileName = fileName;
        this.headers = Map.copyOf(headers);
        this.content = content;
        this.context = context;
    }

    @Override
    public InputStream getInputStream() {
        return new ByteArrayInputStream(content);
    }

    @Override
    public @Nullable String getContentType() {
        return getHeader("Content-Type");
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return fileName;
    }

    @Override
    public long getSize() {
        return content.length;
    }

    /** Resolves a relative name against the application's temporary folder. */
    @Override
    public void write(String file) throws IOException {
        File folder = (File) context.getAttribute(ServletContext.TEMPDIR);
        Files.write(folder == null ? Path.of(file) : folder.toPath().resolve(file), content);
    }

    @Override
    public void delete() {
        // The part has no file.
    }

    @Override
    public @Nullable String getHeader(String wanted) {
        return getHeaders(wanted).stream().findFirst().orElse(null);
    }

    @Override
    public Collection<String> getHeaders(String wanted) {
        return headers.getOrDefault(wanted.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public Collection<String> getHeaderNames() {
        return headers.keySet();
    }
}
