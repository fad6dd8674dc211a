/** How the command line writes: tables and units for people, JSON for programs. */
package io.flinkfluss.cli.text;
