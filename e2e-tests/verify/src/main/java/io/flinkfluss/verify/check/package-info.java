/**
 * What was asked, what was answered and what was seen, and whether that is allowed. Plain
 * bookkeeping without threads, clocks or connections, fed by the load and tested with planted
 * histories.
 */
package io.flinkfluss.verify.check;
