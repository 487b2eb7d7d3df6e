// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

/**
 * What a client orders.
 *
 * @param reference the client's own number of the order
 * @param cents the price
 */
public record OrderForm(String reference, String item, long cents) {}
