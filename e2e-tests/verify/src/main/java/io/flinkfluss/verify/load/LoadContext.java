package io.flinkfluss.verify.load;

import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.Writers;

/**
 * What all loops share.
 *
 * @param client through which the loop talks to the service
 */
record LoadContext(
        FlussClient client,
        Writers writers,
        Acknowledgements acknowledgements,
        ClientErrors errors,
        Findings findings) {}
