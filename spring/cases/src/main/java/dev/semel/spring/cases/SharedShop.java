// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import org.jspecify.annotations.Nullable;

/** One application for all tests of this JVM that do not need their own. Tests use their own keys. */
final class SharedShop {
    private static @Nullable ShopDatabase database;
    private static @Nullable RunningShop running;

    private SharedShop() {}

    static synchronized RunningShop get() {
        if (running == null) {
            running = RunningShop.start(database(), "semel.http.routes[0].path=/configured/**");
        }
        return running;
    }

    static synchronized ShopDatabase database() {
        if (database == null) {
            database = new ShopDatabase();
        }
        return database;
    }
}
