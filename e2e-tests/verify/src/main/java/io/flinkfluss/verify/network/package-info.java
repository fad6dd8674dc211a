/** The network between clients and nodes as proxies that can stop or delay bytes by direction. */
package io.flinkfluss.verify.network;
