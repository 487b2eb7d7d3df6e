// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.math.BigInteger;
import java.security.SecureRandom;

/** Passwords of letters and digits, which need no quoting in SQL, in a URL or in a configuration file. */
final class RandomPassword {

    private static final int BITS = 128;

    private RandomPassword() {}

    static String create() {
        return new BigInteger(BITS, new SecureRandom()).toString(Character.MAX_RADIX);
    }
}
