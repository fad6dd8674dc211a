package io.flinkfluss.flink.unionread.split;

/** How the lake rows and the log rows of a split become one stream; the number is stored. */
public enum Reading {
    /** Lake rows as inserts, then the log's rows with their change kinds. */
    CONCATENATE(0),
    /** The current rows: lake rows whose key has no change in the log, and the log's live rows. */
    MERGE(1);

    private final int number;

    Reading(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static Reading of(int number) {
        for (Reading reading : values()) {
            if (reading.number == number) {
                return reading;
            }
        }
        throw new IllegalArgumentException(
                "reading " + number + " is unknown; 0 and 1 are allowed");
    }
}
