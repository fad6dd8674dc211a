package io.flinkfluss.cli.data;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * One flight of the data set.
 *
 * @param departureMicros local departure time, microseconds since 1970-01-01
 */
public record Flight(
        long departureMicros, long delay, long distance, String origin, String destination) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    /** The flight as a line of {@code flights.csv}. */
    String toCsv() {
        String time = TIME.format(Instant.ofEpochSecond(departureMicros / 1_000_000));
        return time + "," + delay + "," + distance + "," + origin + "," + destination;
    }
}
