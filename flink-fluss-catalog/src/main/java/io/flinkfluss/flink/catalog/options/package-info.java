/** Options of the catalog itself. */
package io.flinkfluss.flink.catalog.options;
