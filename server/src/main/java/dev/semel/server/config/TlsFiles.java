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
        Path file = Path.of(value.required());
        if (!Files.isReadable(file)) {
            throw value.wrong("must be a PEM file that the server can read");
        }
        return file;
    }
}
