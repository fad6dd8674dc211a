/**
 * How a node with an empty data directory becomes part of a cluster: it founds one together with
 * the other new nodes, or waits until it is added to the one that exists, and never takes the place
 * of a member whose data was lost.
 */
package io.flinkfluss.storage.server.membership;
