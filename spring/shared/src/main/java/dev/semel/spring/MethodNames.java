// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.lang.reflect.Method;

/** Names of methods in messages. */
final class MethodNames {
    private MethodNames() {}

    /** For example {@code com.example.Orders.create}. */
    static String of(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
