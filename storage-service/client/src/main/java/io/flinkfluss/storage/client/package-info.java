/**
 * The storage service over Arrow Flight. A first program:
 *
 * <pre>{@code
 * try (FlussClient client = FlussClient.connect(ClientConfig.of("localhost:9123"))) {
 *     TableInfo table = client.admin().table(new TablePath("fluss", "events"));
 *     try (TableWriter writer = client.writer(table)) {
 *         writer.append(GenericRow.of(1L, "first"));
 *         writer.flush();
 *     }
 * }
 * }</pre>
 */
package io.flinkfluss.storage.client;
