// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import org.jspecify.annotations.Nullable;

/** A request that cannot be answered as asked. It changed nothing. */
public final class AdminException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Kind {
        /** A member of the body or a query parameter is wrong. */
        INVALID_FIELD,
        /** There is no such claim. */
        NOT_FOUND,
        /** The claim has changed since the operator read it. */
        MOVED_ON,
        /** The claim's owner is working on it. */
        IN_PROGRESS
    }

    private final Kind kind;
    private final @Nullable String field;

    /** @param field the wrong member or parameter; null if there is none */
    public AdminException(Kind kind, @Nullable String field, String detail) {
        super(detail);
        this.kind = kind;
        this.field = field;
    }

    static AdminException field(String field, String detail) {
        return new AdminException(Kind.INVALID_FIELD, field, detail);
    }

    static AdminException notFound() {
        return new AdminException(Kind.NOT_FOUND, null, "No claim of this tenant has this id");
    }

    public Kind kind() {
        return kind;
    }

    /** The wrong member or parameter, if there is one. */
    public @Nullable String field() {
        return field;
    }
}
