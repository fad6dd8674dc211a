/** Publishes a round: check the table, commit to the lake, register with the storage service. */
package io.flinkfluss.flink.tiering.commit;
