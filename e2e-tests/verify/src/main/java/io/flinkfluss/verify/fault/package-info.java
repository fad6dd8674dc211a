/** What goes wrong and when, drawn from a seed, and how it is done to a cluster. */
package io.flinkfluss.verify.fault;
