package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.DriverProgram;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;

/** The process of this product's driver. */
public final class ProductDriver {
    private ProductDriver() {}

    /** Every option has its default, so none is taken. */
    public static void main(String[] arguments) {
        DriverProgram.main(
                servers -> {
                    if (!servers.options().isEmpty()) {
                        throw new IllegalArgumentException(
                                "this product runs with its defaults, not with "
                                        + servers.options());
                    }
                    return new ProductClient(
                            FlussClient.connect(ClientConfig.of(servers.addresses())), servers);
                });
    }
}
