package io.flinkfluss.benchmarks.driver;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A line between the harness and a driver: a name, then {@code key=value} pairs with values in URL
 * encoding, all separated by blanks.
 */
public record Message(String name, Map<String, String> fields) {
    private static final String LIST_SEPARATOR = ",";

    public Message {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public static Message of(String name) {
        return new Message(name, Map.of());
    }

    /**
     * @throws IllegalArgumentException when the line is none
     */
    public static Message parse(String line) {
        String[] parts = line.strip().split(" ");
        Map<String, String> fields = new LinkedHashMap<>();
        for (String part : Arrays.asList(parts).subList(1, parts.length)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "'" + part + "' is not key=value in the line '" + line + "'");
            }
            fields.put(
                    part.substring(0, equals),
                    URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return new Message(parts[0], fields);
    }

    /** The same with one more field. */
    public Message with(String key, Object value) {
        Map<String, String> more = new LinkedHashMap<>(fields);
        more.put(key, String.valueOf(value));
        return new Message(name, more);
    }

    /** The same with a field of several values, none of which has a comma. */
    public Message withAll(String key, List<?> values) {
        return with(
                key, String.join(LIST_SEPARATOR, values.stream().map(String::valueOf).toList()));
    }

    /**
     * @throws IllegalArgumentException when it is missing
     */
    public String text(String key) {
        String value = fields.get(key);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the message " + name + " has the fields " + fields.keySet() + ", not " + key);
        }
        return value;
    }

    public long number(String key) {
        return Long.parseLong(text(key));
    }

    public double decimal(String key) {
        return Double.parseDouble(text(key));
    }

    public List<String> list(String key) {
        String value = text(key);
        return value.isEmpty() ? List.of() : List.of(value.split(LIST_SEPARATOR));
    }

    /** As it travels, without the end of the line. */
    public String line() {
        StringBuilder text = new StringBuilder(name);
        fields.forEach(
                (key, value) ->
                        text.append(' ')
                                .append(key)
                                .append('=')
                                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return text.toString();
    }
}
