// SPDX-License-Identifier: Apache-2.0
/** The web console. */
module dev.semel.console {
    requires static transitive org.jspecify;

    exports dev.semel.console;
}
