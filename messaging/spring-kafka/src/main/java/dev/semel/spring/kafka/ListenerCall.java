// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

/** Calls the listener. */
@FunctionalInterface
interface ListenerCall {
    void proceed() throws Exception;
}
