// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads {@code semel.yml}. All scalars are kept as text and converted when they are read: {@code off} stays the word
 * {@code off}, and a token of digits keeps its leading zeros.
 */
final class YamlFile {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");
    private static final int LARGEST = 1 << 20;

    private final String name;
    private final Map<String, String> environment;

    private YamlFile(String name, Map<String, String> environment) {
        this.name = name;
        this.environment = environment;
    }

    static SettingsSection read(Path file, Map<String, String> environment) {
        String text;
        try {
            if (Files.size(file) > LARGEST) {
                throw new ConfigException(
                        "%s is larger than 1 MiB, the maximum size of a settings file".formatted(file));
            }
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ConfigException("%s cannot be read as UTF-8 text (%s): check the path and the permissions"
                    .formatted(file, e.getClass().getSimpleName()));
        }
        return parse(text, Objects.toString(file.getFileName()), environment);
    }

    static SettingsSection parse(String text, String name, Map<String, String> environment) {
        return new YamlFile(name, environment).document(text);
    }

    private SettingsSection document(String text) {
        Object loaded;
        try {
            loaded = yaml().load(text);
        } catch (MarkedYAMLException e) {
            // Do not use the exception's message. It quotes the line, which may contain a secret.
            String where = e.getProblemMark() == null
                    ? ""
                    : ", line %d, column %d"
                            .formatted(
                                    e.getProblemMark().getLine() + 1,
                                    e.getProblemMark().getColumn() + 1);
            throw new ConfigException("%s is not valid YAML%s".formatted(name, where));
        } catch (YAMLException e) {
            throw new ConfigException("%s is not valid YAML, or is nested too deeply".formatted(name));
        }
        if (loaded == null) {
            return new SettingsSection(name, "", Map.of());
        }
        if (!(plain("", loaded) instanceof Map<?, ?> map)) {
            throw new ConfigException(
                    "%s must contain keys and values, such as `server: {port: 8080}`".formatted(name));
        }
        return new SettingsSection(name, "", map);
    }

    private static Yaml yaml() {
        LoaderOptions limits = new LoaderOptions();
        limits.setAllowDuplicateKeys(false);
        limits.setAllowRecursiveKeys(false);
        limits.setMaxAliasesForCollections(0);
        limits.setNestingDepthLimit(20);
        limits.setCodePointLimit(LARGEST);
        DumperOptions unused = new DumperOptions();
        return new Yaml(new SafeConstructor(limits), new Representer(unused), unused, limits, new Resolver() {
            @Override
            protected void addImplicitResolvers() {
                // No implicit types: text stays text.
            }
        });
    }

    private Object plain(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, inner) -> {
                String name = String.valueOf(key);
                copy.put(name, plain(path.isEmpty() ? name : path + "." + name, inner));
            });
            return copy;
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            for (Object inner : list) {
                copy.add(plain(path + "[" + copy.size() + "]", inner));
            }
            return copy;
        }
        return substituted(path, value == null ? "" : value.toString());
    }

    private String substituted(String path, String text) {
        Matcher variables = VARIABLE.matcher(text);
        return variables.replaceAll(found -> {
            String value = environment.get(found.group(1));
            if (value == null) {
                throw new ConfigException("%s: %s uses ${%s}, which is not set: export it, or remove the key"
                        .formatted(name, path, found.group(1)));
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
