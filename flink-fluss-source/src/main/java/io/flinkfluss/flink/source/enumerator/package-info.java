/** Plans the splits once, pins their offsets, and gives them to readers. */
package io.flinkfluss.flink.source.enumerator;
