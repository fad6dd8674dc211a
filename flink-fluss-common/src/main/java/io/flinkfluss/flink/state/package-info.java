/**
 * Checkpointed state: one serializer with explicit registration and explicit versions, used by
 * every Flink module; docs/formats/flink-state.md lists the forms.
 */
package io.flinkfluss.flink.state;
