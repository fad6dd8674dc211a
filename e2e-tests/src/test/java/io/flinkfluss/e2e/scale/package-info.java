/**
 * Programs that measure how the storage service behaves as it grows; run by hand
 * (docs/howto/measure-scale.md).
 */
package io.flinkfluss.e2e.scale;
