/** Who competes in what, with which settings, in which order and how long. */
package io.flinkfluss.benchmarks.plan;
