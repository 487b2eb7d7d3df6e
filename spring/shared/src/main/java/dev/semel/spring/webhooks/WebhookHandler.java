// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Receives the events of a webhook provider, each once. The provider calls {@code POST /webhooks/<name>}; the signature is
 * verified with {@code semel.webhooks.<name>.secret}.
 *
 * <pre>{@code
 * @WebhookHandler("stripe")
 * void onStripe(WebhookEvent event) { ... }
 * }</pre>
 *
 * <p>The method has one parameter: a {@code dev.semel.webhooks.WebhookEvent}, or a type that the event's JSON is converted to. It
 * returns nothing, or a {@code CompletionStage}. When it returns, the event is settled, and duplicates are answered without
 * calling it. If it throws, the provider receives 503 and delivers again. It may be {@code @Transactional}; a crash between its
 * commit and the settlement repeats it, so send {@code event.childKey(...)} with calls to other services.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface WebhookHandler {
    /** The name of the provider in the properties {@code semel.webhooks.<name>} and in the path. */
    String value();
}
