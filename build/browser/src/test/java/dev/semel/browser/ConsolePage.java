// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/** The console in a window. Everything that a page must never do is collected, and fails the test at the end. */
final class ConsolePage implements AutoCloseable {
    private static final Set<String> GRAVE = Set.of("serious", "critical");

    /** Without the elements that are right, which are many. */
    private static final AxeRunOptions ONLY_VIOLATIONS = onlyViolations();

    private final BrowserContext context;
    private final URI server;
    private final String path;
    private final Page page;
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private volatile Pattern expected = Pattern.compile("(?!)");

    /** @param path that of the console, without a slash at the end */
    ConsolePage(BrowserContext context, URI server, String path) {
        this.context = context;
        this.server = server;
        this.path = path;
        this.page = context.newPage();
        page.setDefaultTimeout(15_000);
        page.onConsoleMessage(message -> {
            if (Set.of("error", "warning").contains(message.type())
                    && !expected.matcher(message.text()).find()) {
                problems.add(message.type() + ": " + message.text() + " at " + message.location());
            }
        });
        page.onPageError(error -> problems.add("exception: " + error));
        page.onDialog(dialog -> {
            problems.add("dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(server + "/")) {
                problems.add("request to another origin: " + request.url());
            }
        });
    }

    /** Browsers log every answer with an error status. Those that a test provokes are no problem. */
    ConsolePage expecting(String status) {
        expected = Pattern.compile("Failed to load resource.*status of " + status);
        return this;
    }

    Page page() {
        return page;
    }

    /** Opens a screen by its address. */
    ConsolePage open(String address) {
        page.navigate(server + path + "/#/" + address);
        return this;
    }

    /** Clicks an entry of the navigation and waits for its screen. */
    ConsolePage go(String name) {
        page.getByRole(AriaRole.NAVIGATION, new Page.GetByRoleOptions().setName("Screens"))
                .getByRole(
                        AriaRole.LINK,
                        new Locator.GetByRoleOptions().setName(name).setExact(true))
                .click();
        return showing(name);
    }

    ConsolePage showing(String heading) {
        assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
                .hasText(heading);
        return this;
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator dialog() {
        return page.getByRole(AriaRole.DIALOG);
    }

    /** A card by its heading. */
    Locator card(String title) {
        return page.locator("section.card")
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByRole(
                                AriaRole.HEADING,
                                new Page.GetByRoleOptions().setName(title).setExact(true))));
    }

    ConsolePage shows(String text) {
        assertThat(page.locator("#console")).containsText(text);
        return this;
    }

    private static AxeRunOptions onlyViolations() {
        AxeRunOptions options = new AxeRunOptions();
        options.setResultTypes(List.of("violations"));
        return options;
    }

    /** Fails if axe-core finds a serious problem. */
    ConsolePage accessible() {
        List<String> found = new AxeBuilder(page)
                .options(ONLY_VIOLATIONS).analyze().getViolations().stream()
                        .filter(rule -> GRAVE.contains(rule.getImpact()))
                        .map(ConsolePage::text)
                        .toList();
        assertThat(found).as("axe-core on %s", page.url()).isEmpty();
        return this;
    }

    private static String text(Rule rule) {
        return rule.getId() + ": " + rule.getHelp() + " "
                + rule.getNodes().stream().limit(3).map(node -> node.getHtml()).toList();
    }

    /** Fails if the page is wider than the window. */
    ConsolePage fits() {
        Object over =
                page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) over).intValue())
                .as("pixels too wide at %s", page.url())
                .isLessThanOrEqualTo(0);
        return this;
    }

    /** Fails if the page did what it must not: errors, violations of its policy, requests elsewhere. */
    ConsolePage clean() {
        assertThat(problems).as("problems at %s", page.url()).isEmpty();
        assertThat(page.getByText("This screen failed")).hasCount(0);
        return this;
    }

    @Override
    public void close() {
        context.close();
    }
}
