// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls;

import io.vertx.core.Vertx;

/** Breaks a rule on purpose. */
public class ControlKnowingVertx {
    void use(Vertx vertx) {
        vertx.close();
    }
}
