/**
 * Clients that write, read and look up through the real client library, each a loop on a thread of
 * its own, and tell the checker what they sent and saw.
 */
package io.flinkfluss.verify.load;
