/** Filters of queries in the form in which the storage service takes them. */
package io.flinkfluss.flink.source.filter;
