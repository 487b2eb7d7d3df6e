// SPDX-License-Identifier: Apache-2.0
/** Look at claims, decide parked ones, and read their history. */
module dev.semel.admin {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.payload;
    requires org.slf4j;

    exports dev.semel.admin;
}
