// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Path;

/** Programs on the class path that must be unpacked into a folder to run. */
interface Binaries {

    /** A file name that changes when any of the files changes. */
    String key() throws IOException;

    void unpackInto(Path folder) throws IOException;
}
