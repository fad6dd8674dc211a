/** Names, ids, types and descriptors of tables: values only. */
package io.flinkfluss.storage.api.table;
