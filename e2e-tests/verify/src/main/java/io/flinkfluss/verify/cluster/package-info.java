/**
 * Storage processes as users run them, on disks that can be filled and lose power. Only this
 * package starts processes and other programs of the machine.
 */
package io.flinkfluss.verify.cluster;
