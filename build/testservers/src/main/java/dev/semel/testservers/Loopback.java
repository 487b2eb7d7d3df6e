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
}
