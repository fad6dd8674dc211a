/**
 * The local services that the command starts and stops: storage service, Flink cluster, tiering
 * job.
 */
package io.flinkfluss.cli.service;
