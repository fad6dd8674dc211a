package io.flinkfluss.benchmarks.measure;

import java.util.List;

/** How what a row costs changes while one thing grows and all else stays. */
public enum Curve {
    APPEND_ROWS(
            Way.APPEND,
            Growing.ROWS,
            Measure.APPEND_ROWS_1,
            Measure.APPEND_ROWS_10,
            Measure.APPEND_ROWS_100),
    APPEND_BUCKETS(
            Way.APPEND,
            Growing.BUCKETS,
            Measure.APPEND_BUCKETS_1,
            Measure.APPEND_BUCKETS_10,
            Measure.APPEND_BUCKETS_100),
    APPEND_TABLES(
            Way.APPEND,
            Growing.TABLES,
            Measure.APPEND_TABLES_1,
            Measure.APPEND_TABLES_10,
            Measure.APPEND_TABLES_100),
    INSERT_ROWS(
            Way.INSERT,
            Growing.ROWS,
            Measure.INSERT_ROWS_1,
            Measure.INSERT_ROWS_10,
            Measure.INSERT_ROWS_100),
    INSERT_BUCKETS(
            Way.INSERT,
            Growing.BUCKETS,
            Measure.INSERT_BUCKETS_1,
            Measure.INSERT_BUCKETS_10,
            Measure.INSERT_BUCKETS_100),
    INSERT_TABLES(
            Way.INSERT,
            Growing.TABLES,
            Measure.INSERT_TABLES_1,
            Measure.INSERT_TABLES_10,
            Measure.INSERT_TABLES_100);

    /** How many times its first size the growing thing has, a step each. */
    public static final List<Integer> SCALES = List.of(1, 10, 100);

    private final Way way;
    private final Growing growing;
    private final List<Measure> measures;

    /** How rows are written. */
    public enum Way {
        /** To a log. */
        APPEND,
        /** Into a table, each with a key that it does not have. */
        INSERT
    }

    /** What there is more and more of. */
    public enum Growing {
        /** In a table. */
        ROWS,
        /** Of a table, which always gets the same rows. */
        BUCKETS,
        /** That are written to in turn and together always get the same rows. */
        TABLES
    }

    Curve(Way way, Growing growing, Measure... measures) {
        this.way = way;
        this.growing = growing;
        this.measures = List.of(measures);
    }

    public Way way() {
        return way;
    }

    public Growing growing() {
        return growing;
    }

    /** What a row costs at each of the {@link #SCALES}. */
    public List<Measure> measures() {
        return measures;
    }
}
