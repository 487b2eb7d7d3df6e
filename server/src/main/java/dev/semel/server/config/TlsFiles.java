// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The server's certificate and its private key, as PEM files.
 *
 * @param certificate the certificate, followed by those that signed it
 */
public record TlsFiles(Path certificate, Path key) {
    static Optional<TlsFiles> read(SettingsSection section) {
        Optional<Path> certificate = section.value("certificate").map(TlsFiles::file);
        Optional<Path> key = section.value("key").map(TlsFiles::file);
        section.done();
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigException(section.at(certificate.isPresent() ? "key" : "certificate")
                    + " is required: TLS needs a certificate and its key");
        }
        return certificate.map(file -> new TlsFiles(file, key.orElseThrow()));
    }

    private static Path file(SettingValue value) {
        return Path.of(value.required());
    }

    /** Only the server needs the files. Commands may run with its settings where they do not exist. */
    void requireReadable() {
        require("certificate", certificate);
        require("key", key);
    }

    private static void require(String name, Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigException(
                    ("server.tls.%s must be a PEM file that the server can read, but %s is not. A relative"
                                    + " path starts in the working directory")
                            .formatted(name, file.toAbsolutePath()));
        }
    }
}
