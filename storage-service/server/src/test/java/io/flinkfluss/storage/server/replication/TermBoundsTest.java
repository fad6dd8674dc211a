package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TermBoundsTest {
    private static final UUID GROUP = new UUID(1, 2);
    private static final String SOUND = "#\n#Mon Nov 30\nterm=7\nvotedFor=n2\n";

    @TempDir Path folder;
    private Path terms;
    private Path votes;

    @BeforeEach
    void place() throws IOException {
        terms = folder.resolve("terms");
        votes = Files.createDirectories(folder.resolve("current")).resolve("raft-meta");
    }

    private TermBounds bounds() {
        return new TermBounds(terms);
    }

    private String repaired() throws IOException {
        bounds().repair(GROUP, votes.getParent());
        return Files.readString(votes);
    }

    @Test
    void anEmptyFileIsMadeAnewAfterTheLastTermInWhichTheNodeCanHaveVoted() throws IOException {
        assertThat(bounds().covers(GROUP, 7)).isTrue();
        Files.writeString(votes, "");

        assertThat(repaired()).contains("term=" + (7 + TermBounds.AHEAD + 1) + "\n", "votedFor=\n");
    }

    /** The bytes of the first version, as in docs/formats/replicated-log.md. */
    @Test
    void readsAFileOfVersion1() throws IOException {
        Files.createDirectories(terms);
        Files.writeString(terms.resolve(GROUP.toString()), "1 10007 e229d1ec\n");
        Files.writeString(votes, "");

        assertThat(repaired()).contains("term=10008\n");
    }

    @Test
    void everyTermThatWasCoveredIsBelowTheNewOne() throws IOException {
        TermBounds bounds = bounds();
        for (long term = 1; term <= 5 * TermBounds.AHEAD; term += 997) {
            assertThat(bounds.covers(GROUP, term)).isTrue();
            Files.writeString(votes, "term=12");

            String text = repaired();

            long next = Long.parseLong(text.replaceAll("(?s).*term=(\\d+).*", "$1"));
            assertThat(next).isGreaterThan(term);
        }
    }

    @Test
    void aSoundFileIsLeftAlone() throws IOException {
        assertThat(bounds().covers(GROUP, 7)).isTrue();
        Files.writeString(votes, SOUND);

        assertThat(repaired()).isEqualTo(SOUND);
    }

    @Test
    void withoutABoundADamagedFileIsLeftForRatisToRefuse() throws IOException {
        Files.writeString(votes, "");

        assertThat(repaired()).isEmpty();
    }

    @Test
    void aDamagedBoundDoesNotCount() throws IOException {
        assertThat(bounds().covers(GROUP, 7)).isTrue();
        Path bound = terms.resolve(GROUP.toString());
        Files.writeString(bound, Files.readString(bound).replace("1 1", "1 0"));
        Files.writeString(votes, "");

        assertThat(repaired()).isEmpty();
    }

    @Test
    void nothingBeyondTheBoundIsCoveredWhileTheDiskTakesNoWrites() throws IOException {
        TermBounds bounds = bounds();
        assertThat(bounds.covers(GROUP, 7)).isTrue();
        makeUnwritable();

        assertThat(bounds.covers(GROUP, 7 + TermBounds.AHEAD)).isTrue();
        assertThat(bounds.covers(GROUP, 7 + TermBounds.AHEAD + 1)).isFalse();
    }

    /** A file stands where the folder was, which also root cannot write through. */
    private void makeUnwritable() throws IOException {
        Files.delete(terms.resolve(GROUP.toString()));
        Files.delete(terms);
        Files.writeString(terms, "in the way");
    }
}
