// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that a limit was reached, at most once every ten seconds. */
final class LimitLog {
    private static final Logger LOG = LoggerFactory.getLogger(LimitLog.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String setting;
    private final AtomicLong refusals = new AtomicLong();
    private final AtomicLong lastLogged = new AtomicLong(System.nanoTime() - PAUSE_NANOS);

    /** @param setting the limit's name in semel.yml */
    LimitLog(String setting) {
        this.setting = setting;
    }

    void reached() {
        refusals.incrementAndGet();
        long last = lastLogged.get();
        long now = System.nanoTime();
        if (now - last >= PAUSE_NANOS && lastLogged.compareAndSet(last, now)) {
            long refused = refusals.getAndSet(0);
            LOG.atWarn()
                    .addKeyValue("limit", setting)
                    .addKeyValue("refusals", refused)
                    .log("A limit was reached: {}; {} requests or connections were refused", setting, refused);
        }
    }
}
