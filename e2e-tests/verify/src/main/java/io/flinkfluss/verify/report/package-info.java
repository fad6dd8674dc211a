/** What a person, and a program, is told. */
package io.flinkfluss.verify.report;
