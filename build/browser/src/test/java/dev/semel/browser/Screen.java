// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;

/** The size and the colours of a browser window. */
enum Screen {
    LIGHT(1280, 800, ColorScheme.LIGHT),
    DARK(1280, 800, ColorScheme.DARK),
    PHONE(390, 844, ColorScheme.LIGHT),
    NARROW(360, 740, ColorScheme.DARK);

    private final int width;
    private final int height;
    private final ColorScheme colors;

    Screen(int width, int height, ColorScheme colors) {
        this.width = width;
        this.height = height;
        this.colors = colors;
    }

    Browser.NewContextOptions options() {
        return new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(colors)
                .setReducedMotion(ReducedMotion.REDUCE);
    }
}
