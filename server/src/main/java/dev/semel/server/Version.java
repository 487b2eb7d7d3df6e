// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {
    static String text() {
        return Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "(unpacked)");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"Semel " + text()};
    }
}
