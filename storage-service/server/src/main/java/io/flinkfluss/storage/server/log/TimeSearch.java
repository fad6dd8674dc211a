package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.table.BucketId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds offsets by commit time; reads of remote segments wait. */
final class TimeSearch {
    private final LogView view;
    private final List<BatchFile> files = new ArrayList<>();

    TimeSearch(BucketId bucket, LogView view, RemoteReads reads) {
        this.view = view;
        long localFrom =
                view.segments().isEmpty() ? Long.MAX_VALUE : view.segments().get(0).baseOffset();
        for (RemoteSegment segment : view.extent().remote()) {
            if (segment.baseOffset() < localFrom) {
                files.add(RemoteFile.waiting(bucket, segment, reads));
            }
        }
        files.addAll(view.segments());
    }

    /** The first offset committed at or after this time; the end when none. */
    long find(long millis) throws IOException {
        int low = 0;
        int high = files.size();
        // The answer is in the last file that begins before the time, or right after it.
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (files.get(middle).firstMillis() < millis) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long found = low == 0 ? view.startOffset() : findAfter(low - 1, millis);
        return Math.max(found, view.startOffset());
    }

    private long findAfter(int index, long millis) throws IOException {
        BatchFile file = files.get(index);
        long position = file.positionBefore(millis);
        while (position < view.length(file)) {
            BatchHeader header = file.headerAt(position);
            if (header.commitMillis() >= millis) {
                return header.baseOffset();
            }
            position += header.totalLength();
        }
        return index + 1 < files.size() ? files.get(index + 1).baseOffset() : view.endOffset();
    }
}
