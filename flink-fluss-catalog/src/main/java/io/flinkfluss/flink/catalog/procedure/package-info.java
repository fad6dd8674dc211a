/** {@code CALL sys.…}: operations on the cluster as procedures. */
package io.flinkfluss.flink.catalog.procedure;
