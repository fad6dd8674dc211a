/**
 * What one reader of a union is asked to read, and how far it came: values, and their stored form.
 */
package io.flinkfluss.flink.unionread.split;
