// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Path;

/** Files on the class path that must lie in a folder to be run. */
interface Binaries {

    /** A file name that changes when any of the files does. */
    String key() throws IOException;

    void unpackInto(Path folder) throws IOException;
}
