// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store whose jobs are always taken over by another process before they are extended. */
record LosingStore(ClaimStore store) {
    ClaimStore asStore() {
        return (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(),
                new Class<?>[] {ClaimStore.class, ClaimBrowser.class, HistoryStore.class, JobLeases.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("extend")) {
                        return false;
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
