/** The roles whose calls are single operations: tables and lake progress. */
package io.flinkfluss.storage.client.admin;
