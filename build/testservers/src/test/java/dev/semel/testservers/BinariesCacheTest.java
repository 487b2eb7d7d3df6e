// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesCacheTest {

    @TempDir
    private Path folder;

    @Test
    void twoWhoUnpackAtOnceGetOneFolderAndLeaveNoOther() throws IOException {
        BinariesCache cache = new BinariesCache(folder);
        CyclicBarrier bothAreUnpacking = new CyclicBarrier(2);
        Binaries binaries = new TestBinaries(bothAreUnpacking);

        // Not in the common pool: on a small machine it has one thread, and these two wait for each other.
        Executor threads = task -> new Thread(task).start();
        CompletableFuture<Path> one = CompletableFuture.supplyAsync(() -> cache.unpacked(binaries), threads);
        CompletableFuture<Path> other = CompletableFuture.supplyAsync(() -> cache.unpacked(binaries), threads);

        assertThat(one.join()).isEqualTo(other.join()).isEqualTo(folder.resolve("test-1"));
        assertThat(one.join().resolve("bin/program")).hasContent("program");
        assertThat(folder).isDirectoryContaining("glob:**/test-1");
        try (var content = Files.list(folder)) {
            assertThat(content).hasSize(1);
        }
    }

    @Test
    void halfUnpackedBinariesAreNotUsed() throws IOException {
        BinariesCache cache = new BinariesCache(folder);
        Binaries broken = new Binaries() {
            @Override
            public String key() {
                return "broken";
            }

            @Override
            public void unpackInto(Path target) throws IOException {
                Files.writeString(target.resolve("half"), "half");
                throw new IOException("disk full");
            }
        };

        assertThatThrownBy(() -> cache.unpacked(broken)).isInstanceOf(UncheckedIOException.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void saysWhatIsMissing() {
        BinariesCache cache = new BinariesCache(folder);

        assertThatThrownBy(() -> cache.unpacked(new TarXzBinaries("postgres-for-toasters.txz")))
                .hasMessageContaining("postgres-for-toasters.txz");
    }

    private record TestBinaries(CyclicBarrier bothAreUnpacking) implements Binaries {

        @Override
        public String key() {
            return "test-1";
        }

        @Override
        public void unpackInto(Path target) throws IOException {
            try {
                bothAreUnpacking.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IOException(e);
            }
            Files.writeString(Files.createDirectory(target.resolve("bin")).resolve("program"), "program");
        }
    }
}
