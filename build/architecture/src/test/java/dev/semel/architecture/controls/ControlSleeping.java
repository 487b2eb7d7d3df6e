// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls;

/** Breaks a rule on purpose. */
public class ControlSleeping {
    void nap() throws InterruptedException {
        Thread.sleep(1);
    }
}
