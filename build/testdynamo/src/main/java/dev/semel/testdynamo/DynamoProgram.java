// SPDX-License-Identifier: Apache-2.0
package dev.semel.testdynamo;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.lang.reflect.Field;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** DynamoDB Local on 127.0.0.1. Its own program would accept connections from everywhere and has no option for it. */
public final class DynamoProgram {
    private static final String LOOPBACK = "127.0.0.1";

    private DynamoProgram() {}

    /**
     * Runs the server until the process is stopped.
     *
     * @param arguments those of DynamoDB Local's own program
     */
    public static void main(String[] arguments) throws Exception {
        DynamoDBProxyServer local = ServerRunner.createServerFromCommandLineArgs(arguments);
        Field field = DynamoDBProxyServer.class.getDeclaredField("server");
        field.setAccessible(true);
        for (Connector connector : ((Server) field.get(local)).getConnectors()) {
            ((ServerConnector) connector).setHost(LOOPBACK);
        }
        local.start();
        local.join();
    }
}
