/** Lookups: what is waiting for a bucket goes as one message while others are on their way. */
package io.flinkfluss.storage.client.lookup;
