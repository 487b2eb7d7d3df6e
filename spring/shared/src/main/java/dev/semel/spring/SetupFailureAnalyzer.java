// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows an invalid setup with its fix instead of a stack trace. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSetupException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSetupException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}
