/** JMH benchmarks of hot paths: what one call costs, without network and other threads. */
package io.flinkfluss.benchmarks.micro;
