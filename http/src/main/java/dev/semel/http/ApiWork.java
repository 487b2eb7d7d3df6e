// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

/** Runs a request on the calling thread. */
@FunctionalInterface
public interface ApiWork {
    /** Runs the request. An exception releases the key. */
    ApiResult run(Attempt attempt) throws Exception;
}
