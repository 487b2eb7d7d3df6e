// SPDX-License-Identifier: Apache-2.0
/** Idempotent operations, workflow steps and payments. */
@SuppressWarnings("requires-automatic") // libphonenumber has no module descriptor.
module dev.semel.operations {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.payload;
    requires com.google.i18n.phonenumbers.libphonenumber;

    exports dev.semel.operations;
}
