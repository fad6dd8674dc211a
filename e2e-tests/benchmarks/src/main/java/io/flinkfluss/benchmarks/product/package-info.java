/** The driver of this product: its client library, used as an application uses it. */
package io.flinkfluss.benchmarks.product;
