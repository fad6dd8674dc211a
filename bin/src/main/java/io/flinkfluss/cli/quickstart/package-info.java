/** The story that {@code bin/fluss quickstart} tells, and the checks it holds itself to. */
package io.flinkfluss.cli.quickstart;
