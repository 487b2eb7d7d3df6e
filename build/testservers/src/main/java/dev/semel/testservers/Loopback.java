// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The address that all servers listen on. Java's loopback address may be ::1 instead. */
final class Loopback {

    private Loopback() {}

    static InetAddress address() throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    /** The same address of IPv6, ::1. */
    static InetAddress ofVersion6() throws UnknownHostException {
        byte[] address = new byte[16];
        address[15] = 1;
        return InetAddress.getByAddress(address);
    }
}
