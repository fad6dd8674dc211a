/**
 * Iceberg as a lake: tables of format version 2 in Parquet, one snapshot per tiering round, rows of
 * primary-key tables folded before they are written. The only user of Iceberg's library. Layout and
 * snapshot properties: docs/formats/lake-snapshot.md.
 */
package io.flinkfluss.lake.iceberg;
