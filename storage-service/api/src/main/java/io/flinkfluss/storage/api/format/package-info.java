/** Names and versions of everything that is stored or sent, so that one test can find them all. */
package io.flinkfluss.storage.api.format;
