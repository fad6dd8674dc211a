/**
 * What tests of other modules build on: the contract that every storage service passes, a service
 * in memory, a clock that stands still, and batches from rows.
 */
package io.flinkfluss.storage.api.testkit;
