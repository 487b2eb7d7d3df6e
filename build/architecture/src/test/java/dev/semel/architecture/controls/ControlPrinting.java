// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls;

/** Breaks a rule on purpose. */
public class ControlPrinting {
    void print() {
        System.out.println("printed");
    }
}
