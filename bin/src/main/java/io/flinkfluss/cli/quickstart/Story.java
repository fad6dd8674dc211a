package io.flinkfluss.cli.quickstart;

import io.flinkfluss.cli.data.FlightFiles;
import io.flinkfluss.cli.data.FlightTotals;
import io.flinkfluss.cli.runtime.Stopwatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.types.Row;

/** The steps of the story: what is said in SQL, and what must be true afterwards. */
final class Story {
    static final String PROBE_TABLE = "latency_probe";

    private static final Duration LOAD_PATIENCE = Duration.ofMinutes(8);
    private static final Duration LAKE_PATIENCE = Duration.ofMinutes(3);
    private static final String UPDATED = "SFO";
    private static final String DELETED = "00M";

    private final Console console;
    private final Checks checks;
    private final SqlSession sql;
    private final Tiers tiers;
    private final FlightFiles flights;
    private final int airports;
    private final JobWatch jobs = new JobWatch();
    private long lastStoredMillis;

    Story(
            Console console,
            Checks checks,
            SqlSession sql,
            Tiers tiers,
            FlightFiles flights,
            int airports) {
        this.console = console;
        this.checks = checks;
        this.sql = sql;
        this.tiers = tiers;
        this.flights = flights;
        this.airports = airports;
    }

    void createTables(String address) {
        sql.define(
                """
                CREATE CATALOG fluss WITH (
                  'type' = 'fluss',
                  'bootstrap.servers' = '%s'
                )"""
                        .formatted(address));
        sql.define("USE CATALOG fluss");
        sql.change(
                """
                CREATE TABLE flights (
                  departure TIMESTAMP(3),
                  delay BIGINT,
                  distance BIGINT,
                  origin STRING,
                  destination STRING
                ) WITH (
                  'bucket.num' = '4',
                  'table.datalake.enabled' = 'true',
                  'table.datalake.freshness' = '5 s'
                )""");
        sql.change(
                """
                CREATE TABLE airports (
                  iata STRING,
                  name STRING,
                  city STRING,
                  state STRING,
                  country STRING,
                  latitude DOUBLE,
                  longitude DOUBLE,
                  PRIMARY KEY (iata) NOT ENFORCED
                ) WITH (
                  'bucket.num' = '1'
                )""");
        sql.change(
                """
                CREATE TABLE airport_delays (
                  origin STRING,
                  flights BIGINT,
                  mean_delay DOUBLE,
                  worst_delay BIGINT,
                  PRIMARY KEY (origin) NOT ENFORCED
                ) WITH (
                  'bucket.num' = '2',
                  'table.datalake.enabled' = 'true',
                  'table.datalake.freshness' = '5 s'
                )""");
        List<String> tables =
                sql.query("SHOW TABLES").stream()
                        .map(row -> (String) row.getField(0))
                        .sorted()
                        .toList();
        checks.equal(
                "the catalog has the three tables",
                List.of("airport_delays", "airports", "flights"),
                tables);
    }

    void load(Path airportsCsv) {
        sql.define(csvTable("airports_csv", "LIKE airports (EXCLUDING ALL)", airportsCsv));
        sql.modify("INSERT INTO airports SELECT * FROM airports_csv");
        checks.equal("airports has every airport once", (long) airports, count("airports"));

        sql.define(flightsCsv(flights.incoming()));
        jobs.add(sql.startJob("load flights", "INSERT INTO flights SELECT * FROM flights_csv"));
        sql.set("table.exec.mini-batch.enabled", "true");
        sql.set("table.exec.mini-batch.allow-latency", "500 ms");
        sql.set("table.exec.mini-batch.size", "10000");
        jobs.add(
                sql.startJob(
                        "keep airport_delays up to date",
                        """
                        INSERT INTO airport_delays
                        SELECT origin, COUNT(*), AVG(CAST(delay AS DOUBLE)), MAX(delay)
                        FROM flights
                        GROUP BY origin"""));
        sql.set("table.exec.mini-batch.enabled", "false");
        Stopwatch watch = new Stopwatch();
        flights.release(flights.waiting() * 4 / 5);
        awaitStored();
        long rows = flights.released().rows();
        console.line(
                String.format(
                        "  %s flights stored in %s (%s rows/s)",
                        Quickstart.grouped(rows),
                        watch.text(),
                        Quickstart.grouped(rows * 1000 / Math.max(1, watch.elapsed().toMillis()))));
        checks.equal("flights has every row that was sent", rows, count("flights"));
        awaitDelays();
        sql.query("SELECT * FROM airport_delays ORDER BY flights DESC LIMIT 5");
        checkDelays("airport_delays agrees with the flights that were sent");
    }

    void lookupJoin() {
        List<Row> late =
                sql.firstRows(
                        """
                        SELECT f.departure, f.origin, a.name, a.city, f.destination, f.delay
                        FROM (SELECT *, PROCTIME() AS seen FROM flights WHERE delay > 120) AS f
                        JOIN airports FOR SYSTEM_TIME AS OF f.seen AS a ON f.origin = a.iata""",
                        10);
        Map<Object, Row> known = new HashMap<>();
        for (Row row : sql.quietQuery("SELECT iata, name, city FROM airports")) {
            known.put(row.getField(0), row);
        }
        boolean right =
                late.stream()
                        .allMatch(
                                row -> {
                                    Row airport = known.get(row.getField(1));
                                    return airport != null
                                            && airport.getField(1).equals(row.getField(2))
                                            && airport.getField(2).equals(row.getField(3));
                                });
        checks.equal("the lookup join gives ten late flights", 10, late.size());
        checks.verify("each with its airport's name and city", right, late.toString());
    }

    void tier(Runnable startTiering) {
        long before = flights.released().rows();
        startTiering.run();
        console.line("  meanwhile more flights arrive");
        flights.release(flights.waiting() - 2);
        awaitStored();
        awaitLake("flights", before);
        Tiers.State state = tiers.of("flights");
        console.line(
                String.format(
                        "  %s of %s flights are in the lake after %d rounds",
                        Quickstart.grouped(state.tiered()),
                        Quickstart.grouped(state.stored()),
                        state.rounds()));
        checks.verify(
                "the lake got what was stored before the tiering job began",
                state.tiered() >= before,
                state.toString());
    }

    void unionRead() {
        flights.release(1);
        awaitStored();
        Tiers.State before = tiers.of("flights");
        console.line(
                "  more flights arrived; rows that only the hot tier has now: "
                        + Quickstart.grouped(before.hotOnly()));
        List<Row> union = sql.query(perMonth("flights"));
        Map<Object, Object> months = new TreeMap<>();
        union.forEach(row -> months.put(row.getField(0), row.getField(1)));
        checks.equal(
                "union read: the flights of each month are those that were sent",
                new TreeMap<>(flights.released().byMonth()),
                months);
        List<Row> lake = sql.query(perMonth("`flights$lake`"));
        long inLake = lake.stream().mapToLong(row -> (long) row.getField(1)).sum();
        checks.verify(
                "the lake alone has the tiered rows and no row twice",
                inLake >= before.tiered() && inLake <= before.stored(),
                inLake + " rows, of which tiered before the query: " + before);
        flights.release(flights.waiting());
        awaitStored();
        lastStoredMillis = Stopwatch.nowMillis();
        long sent = flights.released().rows();
        Row tiersRow =
                sql.query(
                                """
                                SELECT u.n AS union_rows, l.n AS lake_rows, u.n - l.n AS hot_only_rows
                                FROM (SELECT COUNT(*) AS n FROM flights) AS u
                                CROSS JOIN (SELECT COUNT(*) AS n FROM `flights$lake`) AS l""")
                        .get(0);
        checks.equal("the union equals the rows sent, exactly", sent, tiersRow.getField(0));
        checks.equal(
                "no flight was changed on its way (sum of delays)",
                flights.released().delaySum(),
                single("SELECT SUM(delay) FROM flights"));
        awaitDelays();
        checkDelays("union read of airport_delays agrees with the flights that were sent");
    }

    void changelog() {
        sql.modify(
                "INSERT INTO airports SELECT iata, 'Harvey Milk International', city, state,"
                        + " country, latitude, longitude FROM airports WHERE iata = '"
                        + UPDATED
                        + "'");
        sql.modify("DELETE FROM airports WHERE iata = '" + DELETED + "'");
        String keys = "IN ('" + UPDATED + "', '" + DELETED + "')";
        List<Row> changes =
                sql.query(
                        "SELECT _change_type, _log_offset, iata, name, city FROM"
                                + " `airports$changelog`\nWHERE iata "
                                + keys);
        checks.equal(
                "airports$changelog shows the update",
                List.of("insert", "update_before", "update_after"),
                kinds(changes, row -> UPDATED.equals(row.getField(2))));
        checks.equal(
                "airports$changelog shows the delete",
                List.of("insert", "delete"),
                kinds(changes, row -> DELETED.equals(row.getField(2))));
        List<Row> pairs =
                sql.query(
                        "SELECT _change_type, _log_offset, `before`.name AS name_before,"
                                + " `after`.name AS name_after\nFROM `airports$binlog`\n"
                                + "WHERE _change_type <> 'insert'");
        checks.equal(
                "airports$binlog pairs old and new rows",
                List.of("delete", "update"),
                kinds(pairs, row -> true).stream().sorted().toList());
        checks.equal(
                "the deleted airport is gone, the others stay", airports - 1L, count("airports"));
    }

    /** After the last row: the lake must get everything, once. */
    void lakeCatchesUp() {
        long sent = flights.released().rows();
        awaitLake("flights", sent);
        checks.equal(
                "in the end the lake has every flight exactly once",
                sent,
                single("SELECT COUNT(*) FROM `flights$lake`"));
    }

    void createProbeTable() {
        sql.change("CREATE TABLE " + PROBE_TABLE + " (n BIGINT) WITH ('bucket.num' = '1')");
    }

    /** From the arrival of the last flights to the lake snapshot with them. */
    String tierLag() {
        long lag = Math.max(0, tiers.of("flights").committedAtMillis() - lastStoredMillis);
        return "tier lag of the last flights (freshness 5 s): "
                + Stopwatch.text(Duration.ofMillis(lag));
    }

    private static String perMonth(String table) {
        return """
               SELECT DATE_FORMAT(departure, 'yyyy-MM') AS `month`, COUNT(*) AS flights,
                      AVG(CAST(delay AS DOUBLE)) AS mean_delay, MAX(delay) AS worst_delay
               FROM %s
               GROUP BY DATE_FORMAT(departure, 'yyyy-MM')
               ORDER BY `month`"""
                .formatted(table);
    }

    private static String csvTable(String name, String like, Path file) {
        return """
               CREATE TEMPORARY TABLE %s WITH (
                 'connector' = 'filesystem',
                 'path' = '%s',
                 'format' = 'csv'
               ) %s"""
                .formatted(name, file.toUri(), like);
    }

    private static String flightsCsv(Path folder) {
        return """
               CREATE TEMPORARY TABLE flights_csv (
                 departure TIMESTAMP(3),
                 delay BIGINT,
                 distance BIGINT,
                 origin STRING,
                 destination STRING
               ) WITH (
                 'connector' = 'filesystem',
                 'path' = '%s',
                 'format' = 'csv',
                 'source.monitor-interval' = '200 ms'
               )"""
                .formatted(folder.toUri());
    }

    private long count(String table) {
        return (long) sql.query("SELECT COUNT(*) AS `rows` FROM " + table).get(0).getField(0);
    }

    private Object single(String query) {
        return sql.query(query).get(0).getField(0);
    }

    private static List<Object> kinds(List<Row> changes, Predicate<Row> filter) {
        return changes.stream()
                .filter(filter)
                .sorted(Comparator.comparingLong(row -> (long) row.getField(1)))
                .map(row -> row.getField(0))
                .toList();
    }

    private void awaitStored() {
        long wanted = flights.released().rows();
        jobs.await(
                "the arrival of " + wanted + " flights",
                LOAD_PATIENCE,
                () -> tiers.stored("flights") >= wanted);
    }

    private void awaitLake(String table, long wanted) {
        jobs.await(
                "tiering of " + wanted + " rows of " + table,
                LAKE_PATIENCE,
                () -> {
                    Tiers.State state = tiers.of(table);
                    return state.tiered() >= wanted;
                });
    }

    /** The second job follows the first; waits until it has counted every flight. */
    private void awaitDelays() {
        long wanted = flights.released().rows();
        jobs.await(
                "airport_delays counting " + wanted + " flights",
                LAKE_PATIENCE,
                () ->
                        Long.valueOf(wanted)
                                .equals(
                                        sql.quietQuery("SELECT SUM(flights) FROM airport_delays")
                                                .get(0)
                                                .getField(0)));
    }

    private void checkDelays(String name) {
        Map<String, FlightTotals.OriginTotals> expected = flights.released().byOrigin();
        List<Row> rows = sql.quietQuery("SELECT * FROM airport_delays");
        List<Row> wrong =
                rows.stream()
                        .filter(row -> !agrees(row, expected.get((String) row.getField(0))))
                        .toList();
        checks.verify(
                name,
                wrong.isEmpty() && rows.size() == expected.size(),
                rows.size() + " origins, wanted " + expected.size() + "; wrong rows " + wrong);
    }

    private static boolean agrees(Row row, FlightTotals.OriginTotals totals) {
        return totals != null
                && row.getField(1).equals(totals.flights())
                && Math.abs((double) row.getField(2) - totals.meanDelay()) < 1e-6
                && row.getField(3).equals(totals.worstDelay());
    }
}
