package io.flinkfluss.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Rows of text under a header, as a box. */
public final class TextTable {
    private static final int MAX_WIDTH = 60;

    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;

    public TextTable(List<String> header) {
        widths = new int[header.size()];
        add(header);
    }

    public static TextTable of(String... header) {
        return new TextTable(List.of(header));
    }

    public void add(List<?> cells) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            String text = shortened(String.valueOf(cells.get(i)));
            texts.add(text);
            widths[i] = Math.max(widths[i], text.length());
        }
        rows.add(texts);
    }

    public void add(Object... cells) {
        add(List.of(cells));
    }

    public String render() {
        StringBuilder text = new StringBuilder();
        String rule = rule();
        text.append(rule);
        for (int i = 0; i < rows.size(); i++) {
            text.append(line(rows.get(i)));
            if (i == 0) {
                text.append(rule);
            }
        }
        return text.append(rows.size() > 1 ? rule : "").toString();
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder("  |");
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            String padding = " ".repeat(widths[i] - cell.length());
            boolean number = cell.matches("-?[0-9][0-9,.]*( .{1,5})?");
            line.append(' ').append(number ? padding + cell : cell + padding).append(" |");
        }
        return line.append('\n').toString();
    }

    private String rule() {
        StringBuilder rule = new StringBuilder("  +");
        for (int width : widths) {
            rule.append("-".repeat(width + 2)).append('+');
        }
        return rule.append('\n').toString();
    }

    private static String shortened(String text) {
        return text.length() <= MAX_WIDTH ? text : text.substring(0, MAX_WIDTH - 1) + "…";
    }
}
