// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

/**
 * Something that should be changed.
 *
 * @param check what was checked, such as {@code postgresql.fsync}
 * @param problem what is wrong, and what follows from it
 * @param fix what to do: a statement, a command or a setting
 */
public record Finding(Level level, String check, String problem, String fix) {
    /** How much it matters. */
    public enum Level {
        /** Acknowledged work can be lost, or requests fail. */
        ERROR,
        /** It works, but not as well or as safely as it could. */
        WARNING,
        /** A choice that should be known. */
        NOTE
    }

    static Finding error(String check, String problem, String fix) {
        return new Finding(Level.ERROR, check, problem, fix);
    }

    static Finding warning(String check, String problem, String fix) {
        return new Finding(Level.WARNING, check, problem, fix);
    }

    static Finding note(String check, String problem, String fix) {
        return new Finding(Level.NOTE, check, problem, fix);
    }
}
