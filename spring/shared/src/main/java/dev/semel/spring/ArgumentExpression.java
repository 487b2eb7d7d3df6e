// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.lang.reflect.Method;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A SpEL expression over the arguments of a method. It reads properties and calls methods of the arguments, and reaches neither
 * beans nor types.
 */
final class ArgumentExpression {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final String where;
    private final SpelExpression expression;
    private final String @Nullable [] names;

    private ArgumentExpression(String where, SpelExpression expression, String @Nullable [] names) {
        this.where = where;
        this.expression = expression;
        this.names = names;
    }

    /**
     * Parses and checks an expression.
     *
     * @param attribute the attribute of the annotation, for messages
     * @throws InvalidSetupException if it is malformed or uses a variable that is not a parameter
     */
    static ArgumentExpression of(Method method, String attribute, String text) {
        String where = "%s = \"%s\" of @Idempotent on %s".formatted(attribute, text, MethodNames.of(method));
        SpelExpression parsed;
        try {
            parsed = (SpelExpression) PARSER.parseExpression(text);
        } catch (ParseException e) {
            throw new InvalidSetupException(
                    "%s is not a valid SpEL expression: %s.".formatted(where, e.toDetailedString()),
                    "Write an expression over the method's parameters, for example #request.id.",
                    e);
        }
        String[] names = NAMES.getParameterNames(method);
        List<String> known = new ArrayList<>(List.of("#this"));
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.add("#p" + i);
            known.add("#a" + i);
            if (names != null) {
                known.add("#" + names[i]);
            }
        }
        requireVariable(where, parsed.getAST());
        requireKnown(where, parsed.getAST(), known, names == null && method.getParameterCount() > 0);
        return new ArgumentExpression(where, parsed, names);
    }

    /** There is no root object, so a name without # would fail at every call. */
    private static void requireVariable(String where, SpelNode root) {
        SpelNode first = root instanceof CompoundExpression ? root.getChild(0) : root;
        if (first instanceof PropertyOrFieldReference) {
            throw new InvalidSetupException(
                    "%s begins with %s, which is no variable.".formatted(where, first.toStringAST()),
                    "Write # before the name of a parameter: #%s.".formatted(first.toStringAST()));
        }
    }

    private static void requireKnown(String where, SpelNode node, List<String> known, boolean namesMissing) {
        if (node instanceof VariableReference && !known.contains(node.toStringAST())) {
            throw new InvalidSetupException(
                    "%s uses %s, which is not a parameter of the method.".formatted(where, node.toStringAST()),
                    namesMissing
                            ? "The class was compiled without parameter names: compile it with -parameters (Spring Boot's Maven parent and Gradle plugin do), or use #p0 for the first parameter."
                            : "Use one of %s.".formatted(String.join(", ", known.subList(1, known.size()))));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireKnown(where, node.getChild(i), known, namesMissing);
        }
    }

    /** The value for these arguments. */
    @Nullable
    Object value(@Nullable Object[] arguments) {
        try {
            return expression.getValue(context(arguments));
        } catch (EvaluationException e) {
            // Without the cause, because its message can contain values of arguments. This one message contains names
            // only.
            String why = e instanceof SpelEvaluationException known
                            && known.getMessageCode() == SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE
                    ? e.getMessage()
                    : e.getClass().getSimpleName();
            throw new IllegalArgumentException(
                    "%s could not be evaluated for this call (%s). The method did not run".formatted(where, why));
        }
    }

    private EvaluationContext context(@Nullable Object[] arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .build();
        for (int i = 0; i < arguments.length; i++) {
            context.setVariable("p" + i, arguments[i]);
            context.setVariable("a" + i, arguments[i]);
            if (names != null) {
                context.setVariable(names[i], arguments[i]);
            }
        }
        return context;
    }

    /** Whether an operand of a concatenation is null: "a:null" would be the key of many calls. */
    private static boolean addsNull(SpelNode node, ExpressionState state) {
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            if ((node instanceof OpPlus && child.getValue(state) == null) || addsNull(child, state)) {
                return true;
            }
        }
        return false;
    }

    /** The value as text; only types whose text identifies them. */
    String text(@Nullable Object[] arguments) {
        Object value = value(arguments);
        if (addsNull(expression.getAST(), new ExpressionState(context(arguments)))) {
            throw new IllegalArgumentException(
                    "A part of %s is null for this call. The method did not run".formatted(where));
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value != null && isSimple(value)) {
            return value.toString();
        }
        throw new IllegalArgumentException(
                value == null
                        ? "%s is null for this call. The method did not run".formatted(where)
                        : "%s is a %s. Use a property that is text, a number, a UUID, an enum or a date. The method did not run"
                                .formatted(where, value.getClass().getName()));
    }

    static boolean isSimple(Object value) {
        return value instanceof CharSequence
                || value instanceof Number
                || value instanceof UUID
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Enum<?>
                || value instanceof TemporalAccessor;
    }
}
