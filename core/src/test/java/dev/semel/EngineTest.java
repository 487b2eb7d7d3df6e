// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;

/** For tests that wait for an engine: a missing answer fails the test instead of blocking the build. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@interface EngineTest {}
