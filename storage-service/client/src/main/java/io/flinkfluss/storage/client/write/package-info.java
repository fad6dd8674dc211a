/**
 * Writing: batches on their way, in order per bucket and repeated until acknowledged ({@code
 * PutDispatcher}), and rows that gather into batches ({@link
 * io.flinkfluss.storage.client.write.TableWriter}).
 */
package io.flinkfluss.storage.client.write;
