// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

/**
 * Traffic of made-up clients: retries, simultaneous duplicates, conflicts, webhooks, orders through the proxy, crashed workers
 * and parked claims.
 */
public final class DemoTraffic implements AutoCloseable {
    private final ScenePlayer player = new ScenePlayer();

    private DemoTraffic() {}

    /** Starts the traffic against a server with the settings of {@link DemoSettings}. */
    public static DemoTraffic start(String url) {
        DemoTraffic traffic = new DemoTraffic();
        DemoClient client = new DemoClient(url);
        new ClaimScenes(client, traffic.player).start();
        new DeliveryScenes(client, traffic.player).start();
        return traffic;
    }

    @Override
    public void close() {
        player.close();
    }
}
