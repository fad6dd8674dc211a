/** When a lake table is due for upkeep: plain state. */
package io.flinkfluss.flink.tiering.maintenance;
