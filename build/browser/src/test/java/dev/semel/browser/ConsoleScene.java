// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A browser and a server for the tests of a class. The pages of a test are closed after it. */
final class ConsoleScene implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final Start start;
    private final String path;
    private final Map<String, String> headers;
    private final Deque<ConsolePage> pages = new ArrayDeque<>();
    private TestBrowser browser;
    private JvmServer server;
    private ApiCaller api;

    /** Starts a server. */
    interface Start {
        JvmServer start() throws Exception;
    }

    private ConsoleScene(Start start, String path, Map<String, String> headers) {
        this.start = start;
        this.path = path;
        this.headers = headers;
    }

    /** With a server on this machine, without a token. */
    static ConsoleScene onServer() {
        return new ConsoleScene(TestBrowser::server, "/console", Map.of());
    }

    /**
     * With another server.
     *
     * @param path that of the console, without a slash at the end
     * @param headers those of {@link #api}
     */
    static ConsoleScene on(Start start, String path, Map<String, String> headers) {
        return new ConsoleScene(start, path, headers);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        browser = TestBrowser.launch();
        server = start.start();
        api = new ApiCaller(server.uri(), headers);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        while (!pages.isEmpty()) {
            pages.pop().close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (server != null) {
            server.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    JvmServer server() {
        return server;
    }

    ApiCaller api() {
        return api;
    }

    /** A page in a context of its own, with nothing kept from before. */
    ConsolePage open(Screen screen) {
        ConsolePage page = browser.open(server.uri(), path, screen);
        pages.push(page);
        return page;
    }
}
