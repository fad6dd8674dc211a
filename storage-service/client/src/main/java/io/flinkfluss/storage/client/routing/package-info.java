/** Which node leads which bucket, and calls of operations with retry. */
package io.flinkfluss.storage.client.routing;
