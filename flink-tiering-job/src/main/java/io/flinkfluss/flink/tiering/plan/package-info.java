/** Which table is due and which ranges its next round has: pure functions and plain state. */
package io.flinkfluss.flink.tiering.plan;
