/** The rows that every system stores, equal in all of them, and the sums that prove it. */
package io.flinkfluss.benchmarks.rows;
