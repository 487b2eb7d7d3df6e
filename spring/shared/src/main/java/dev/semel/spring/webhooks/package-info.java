// SPDX-License-Identifier: Apache-2.0
/** Webhooks in a Spring Boot application: {@code @WebhookHandler} on a bean method receives the events of a provider. */
@NullMarked
package dev.semel.spring.webhooks;

import org.jspecify.annotations.NullMarked;
