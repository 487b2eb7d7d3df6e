// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A class of the black-box suite. Afterwards the output of all servers is searched for private data. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LogScan.class)
@interface BlackBox {}
