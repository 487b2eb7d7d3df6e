// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

/** An order that has a row. */
public record BookedOrder(String id, String reference, String item, long cents) {}
