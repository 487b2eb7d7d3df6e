// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

/** The listener called {@code nack}. */
final class NackedException extends Exception {
    private static final long serialVersionUID = 1;

    NackedException() {
        super("The listener called nack");
    }
}
