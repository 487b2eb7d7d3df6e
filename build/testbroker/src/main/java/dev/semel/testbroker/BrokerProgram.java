// SPDX-License-Identifier: Apache-2.0
package dev.semel.testbroker;

import kafka.Kafka;
import kafka.tools.StorageTool;

/** A broker that is its own controller. At its first start it formats its data folder. */
public final class BrokerProgram {
    private BrokerProgram() {}

    /**
     * Runs the broker until the process is stopped.
     *
     * @param arguments the file with the broker's settings, and the cluster's id
     */
    public static void main(String[] arguments) {
        String settings = arguments[0];
        String[] format = {"format", "--ignore-formatted", "--cluster-id", arguments[1], "--config", settings};
        if (StorageTool.execute(format, System.out) != 0) {
            throw new IllegalStateException("The data folder could not be formatted");
        }
        Kafka.main(new String[] {settings});
    }
}
