/** Where a read begins. */
package io.flinkfluss.flink.source.startup;
