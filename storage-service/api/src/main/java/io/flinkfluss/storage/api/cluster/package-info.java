/** The nodes of a storage service, and how far a change of them is. */
package io.flinkfluss.storage.api.cluster;
