// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls.core;

import java.sql.Connection;

/** Breaks a rule on purpose. */
public class ControlCoreKnowingJdbc {
    void use(Connection connection) throws Exception {
        connection.close();
    }
}
