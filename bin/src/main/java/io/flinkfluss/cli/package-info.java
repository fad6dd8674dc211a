/**
 * The command {@code bin/fluss}: one class per verb. A verb parses its options, calls the services
 * of {@code .service} or the story of {@code .quickstart}, and prints what happened.
 */
package io.flinkfluss.cli;
