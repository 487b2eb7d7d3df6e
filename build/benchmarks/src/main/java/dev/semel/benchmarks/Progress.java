// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on standard error. */
final class Progress implements AutoCloseable {
    private final ProgressBar bar;

    Progress(int steps) {
        bar = new ProgressBarBuilder()
                .setTaskName("bench")
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(1_000)
                .build();
    }

    void step(String name) {
        bar.setExtraMessage(name);
    }

    void done() {
        bar.step();
    }

    static void note(String text) {
        System.err.println(text);
    }

    @Override
    public void close() {
        bar.close();
    }
}
