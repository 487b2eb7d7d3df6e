// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

/** Thrown by work that fails for good. */
final class FinalFailure extends Exception {
    FinalFailure() {
        super("for good", null, false, false);
    }
}
