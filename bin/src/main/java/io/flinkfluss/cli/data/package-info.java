/** The flights and airports that the quickstart works on. */
package io.flinkfluss.cli.data;
