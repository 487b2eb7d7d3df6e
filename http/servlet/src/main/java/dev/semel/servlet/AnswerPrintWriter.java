// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;

/** Encodes characters immediately and buffers none. Only a flush by the servlet flushes the answer. */
final class AnswerPrintWriter extends Writer {
    private final OutputStream out;
    private final Writer encoder;

    AnswerPrintWriter(OutputStream out, String encoding) throws IOException {
        this.out = out;
        this.encoder = new OutputStreamWriter(new Unflushed(out), encoding);
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
        encoder.write(characters, offset, length);
        encoder.flush();
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        encoder.close();
    }

    /** Ignores flushes of the encoder. */
    private static final class Unflushed extends FilterOutputStream {
        Unflushed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
