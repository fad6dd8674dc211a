package io.flinkfluss.benchmarks.report;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** JSON of maps, collections, numbers, truth values and texts. A number that is none is null. */
final class Json {
    private Json() {}

    static String text(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(
                            each ->
                                    quoted(String.valueOf(each.getKey()))
                                            + ":"
                                            + text(each.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> values) {
            return values.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number.toString() : "null";
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        return quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            switch (letter) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                default -> {
                    if (letter < ' ') {
                        quoted.append("\\u%04x".formatted((int) letter));
                    } else {
                        quoted.append(letter);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
