/** Every option of the Flink connectors, one class per concern, and the records they parse into. */
package io.flinkfluss.flink.options;
