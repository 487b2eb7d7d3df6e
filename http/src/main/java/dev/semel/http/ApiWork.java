// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

/** Runs a request on the calling thread. */
@FunctionalInterface
public interface ApiWork {
    /** Whatever it throws releases the key. */
    ApiResult run(Attempt attempt) throws Exception;
}
