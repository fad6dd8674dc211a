/** Reading: streams of batches that repair themselves. */
package io.flinkfluss.storage.client.read;
