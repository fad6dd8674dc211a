/**
 * What becomes of old rows: a plan per bucket as a pure function, and the step that the leader of a
 * shard takes now and then. Everything that is decided goes through the shard's log, so that every
 * replica has the same start.
 */
package io.flinkfluss.storage.server.retention;
