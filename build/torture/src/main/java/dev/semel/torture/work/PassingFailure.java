// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

/** Thrown by work that may be tried again. */
final class PassingFailure extends Exception {
    PassingFailure() {
        super("for now", null, false, false);
    }
}
