// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.journal.page.Page;
import dev.semel.torture.history.RecordedEvent;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Follows a stream from page to page while it is written. */
final class StreamReader implements Workload {
    private final String stream;
    private final Recorder recorder;
    private final Source source;
    private final long reader;
    private @Nullable String cursor;
    private boolean complete;

    /** One page. */
    interface Source {
        Ids after(@Nullable String cursor) throws Exception;
    }

    /** What a page holds. */
    record Ids(List<String> ids, String cursor, boolean more) {}

    StreamReader(String stream, Recorder recorder, Source source) {
        this.stream = stream;
        this.recorder = recorder;
        this.source = source;
        this.reader = recorder.nextRun();
    }

    /** The pages of the journal, each after a cursor. */
    interface Pages<E> {
        CompletionStage<Page<E>> after(@Nullable String cursor);
    }

    /** The ids on these pages. */
    static <E> Source pages(Pages<E> pages, Function<E, ?> id) {
        return cursor -> {
            Page<E> page = pages.after(cursor).toCompletableFuture().get();
            return new Ids(
                    page.items().stream()
                            .map(event -> id.apply(event).toString())
                            .toList(),
                    page.cursor(),
                    page.more() || page.unsettled());
        };
    }

    @Override
    public synchronized void step(SplittableRandom random) {
        read();
    }

    /** Returns whether the end was reached. */
    private synchronized boolean read() {
        try {
            Ids page = source.after(cursor);
            for (String id : page.ids()) {
                recorder.write(new RecordedEvent.PageRead(System.nanoTime(), "", stream, reader, id));
            }
            cursor = page.cursor();
            return !page.more();
        } catch (ExecutionException unavailable) {
            return false;
        } catch (Exception e) {
            recorder.unexpected("", "a page threw " + e);
            return true;
        }
    }

    /** After all writers have ended: reads the rest. */
    @Override
    public synchronized boolean settles(String item, SplittableRandom random) {
        if (!complete && read()) {
            complete = true;
            recorder.write(new RecordedEvent.PagesEnded(System.nanoTime(), "", stream, reader));
        }
        return complete;
    }
}
