/**
 * Flink SQL's door to the product: the catalog of type {@code fluss}, the factory of its tables,
 * and the table source that joins source, union read and lookup.
 *
 * <p>A first program:
 *
 * <pre>{@code
 * CREATE CATALOG lakehouse WITH ('type' = 'fluss', 'bootstrap.servers' = 'localhost:9123');
 * USE CATALOG lakehouse;
 * CREATE TABLE airports (iata STRING, city STRING, PRIMARY KEY (iata) NOT ENFORCED);
 * INSERT INTO airports VALUES ('SFO', 'San Francisco');
 * SELECT * FROM airports;
 * SELECT * FROM airports$changelog;
 * }</pre>
 */
package io.flinkfluss.flink.catalog;
