package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.LookupRequest;
import io.flinkfluss.storage.api.wire.LookupResponse;
import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A DoExchange: lookups of many buckets, answered as they are done. */
final class LookupStream extends AnsweredStream<FlightFrame> {
    private final KvReader reader;

    LookupStream(
            ServerCall<FlightFrame, FlightFrame> call,
            KvReader reader,
            InFlightBudget budget,
            long limit) {
        super(call, budget, limit);
        this.reader = reader;
    }

    @Override
    void handle(FlightFrame frame, Reply<FlightFrame> reply) {
        LookupRequest request = LookupRequest.decode(frame.appMetadata());
        CompletableFuture<List<List<EncodedRow>>> rows =
                switch (request.kind()) {
                    case KEYS ->
                            reader.lookup(request.bucket(), request.keys())
                                    .thenApply(LookupStream::asLists);
                    case PREFIXES -> prefixes(request);
                };
        CompletableFuture<List<List<EncodedRow>>> unused =
                rows.whenComplete(
                        (found, failure) ->
                                reply.send(
                                        FlightFrame.ofMetadata(
                                                answer(request.requestId(), found, failure))));
    }

    private CompletableFuture<List<List<EncodedRow>>> prefixes(LookupRequest request) {
        List<CompletableFuture<List<EncodedRow>>> parts = new ArrayList<>();
        for (byte[] prefix : request.keys()) {
            parts.add(reader.prefixLookup(request.bucket(), prefix));
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
    }

    private static byte[] answer(long requestId, List<List<EncodedRow>> rows, Throwable failure) {
        return (failure == null
                        ? LookupResponse.found(requestId, rows)
                        : LookupResponse.failed(requestId, Refusal.error(failure)))
                .encode();
    }

    private static List<List<EncodedRow>> asLists(List<Optional<EncodedRow>> rows) {
        List<List<EncodedRow>> lists = new ArrayList<>(rows.size());
        for (Optional<EncodedRow> row : rows) {
            lists.add(row.isPresent() ? List.of(row.get()) : List.of());
        }
        return lists;
    }
}
