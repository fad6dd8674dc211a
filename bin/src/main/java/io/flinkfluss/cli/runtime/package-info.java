/**
 * Processes, ports, deadlines and folders: everything of the command line that touches the machine.
 */
package io.flinkfluss.cli.runtime;
