// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.concurrent.CompletionStage;

/** Runs a request without blocking. */
@FunctionalInterface
public interface AsyncApiWork {
    /** Starts the request. An exception, thrown or in the stage, releases the key. */
    CompletionStage<ApiResult> start(Attempt attempt);
}
