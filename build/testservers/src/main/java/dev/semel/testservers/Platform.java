// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.Locale;

/** The platform that the binaries must be built for. */
enum Platform {
    LINUX_AMD64("linux-x86_64", "redis-server-6.2.6-v5-linux-amd64"),
    LINUX_ARM64("linux-arm_64", "redis-server-6.2.7-linux-arm64"),
    MAC_AMD64("darwin-x86_64", "redis-server-6.2.6-v5-darwin-amd64"),
    MAC_ARM64("darwin-arm_64", "redis-server-6.2.6-v5-darwin-arm64");

    private final String zonkyName;
    private final String redisServer;

    Platform(String zonkyName, String redisServer) {
        this.zonkyName = zonkyName;
        this.redisServer = redisServer;
    }

    static Platform current() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        if (system.startsWith("linux")) {
            return arm ? LINUX_ARM64 : LINUX_AMD64;
        }
        if (system.startsWith("mac")) {
            return arm ? MAC_ARM64 : MAC_AMD64;
        }
        throw new IllegalStateException("No server binaries for " + system);
    }

    /** The name of this platform in zonky's archives. */
    String zonkyName() {
        return zonkyName;
    }

    /** The path of the program in embedded-redis. */
    String redisServer() {
        return redisServer;
    }
}
