// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls;

import java.io.ObjectInputStream;

/** Breaks a rule on purpose. */
public class ControlSerializing {
    Object read(ObjectInputStream in) throws Exception {
        return in.readObject();
    }
}
