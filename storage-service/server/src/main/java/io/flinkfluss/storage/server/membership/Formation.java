package io.flinkfluss.storage.server.membership;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node with an empty data directory does, decided from what the other nodes tell. Two rules
 * keep acknowledged writes safe: a cluster is founded only when every node of it is new, and a
 * member whose data is gone, and with it what it promised, gets no vote under its old place.
 */
public final class Formation {
    private Formation() {}

    /** What to do next. */
    public enum Step {
        /** Ask again. */
        WAIT,
        FOUND,
        JOIN
    }

    /**
     * @param shards of the cluster; 0 while waiting
     * @param founders of a cluster to found
     * @param why it waits, for people
     */
    public record Decision(Step step, int shards, Map<String, String> founders, String why) {
        static Decision waitBecause(String why) {
            return new Decision(Step.WAIT, 0, Map.of(), why);
        }
    }

    /**
     * @param self the node, which is new
     * @param answers of the other nodes of {@code --peers}, by id; silent ones are missing
     * @throws StorageException INVALID_REQUEST when the node must not start like this
     */
    public static Decision decide(Introduction self, Map<String, Introduction> answers) {
        answers.forEach((id, answer) -> requireId(id, answer));
        List<Introduction> ofCluster =
                answers.values().stream().filter(Introduction::hasCluster).toList();
        for (Introduction founder : ofCluster) {
            if (self.directory().equals(founder.founders().get(self.node()))) {
                return new Decision(Step.FOUND, founder.shards(), founder.founders(), "");
            }
        }
        for (Introduction member : ofCluster) {
            if (member.isCurrent()) {
                requireUnknown(self, member);
                return new Decision(Step.JOIN, member.shards(), Map.of(), "");
            }
        }
        if (!ofCluster.isEmpty()) {
            return Decision.waitBecause(
                    "a cluster exists, but "
                            + ofCluster.stream().map(Introduction::node).toList()
                            + " cannot tell who its members are before a majority of them runs");
        }
        return found(self, answers);
    }

    private static Decision found(Introduction self, Map<String, Introduction> answers) {
        List<String> missing = new ArrayList<>();
        Map<String, Introduction> all = new TreeMap<>(answers);
        all.put(self.node(), self);
        Map<String, String> founders = new TreeMap<>();
        for (String peer : self.peers()) {
            Introduction node = all.get(peer);
            if (node == null || node.state() != DirectoryState.NEW) {
                missing.add(peer);
            } else {
                founders.put(peer, node.directory());
            }
        }
        if (!missing.isEmpty()) {
            return Decision.waitBecause(
                    "a new cluster is founded by all nodes of --peers; these are not there: "
                            + missing);
        }
        for (Introduction node : all.values()) {
            if (!List.copyOf(new java.util.TreeSet<>(node.peers()))
                    .equals(List.copyOf(founders.keySet()))) {
                throw refusal(
                        "node "
                                + node.node()
                                + " was started with --peers "
                                + node.peers()
                                + ", and node "
                                + self.node()
                                + " with --peers "
                                + self.peers()
                                + "; start all nodes of a new cluster with the same");
            }
        }
        int shards = all.values().iterator().next().shards();
        return new Decision(Step.FOUND, shards, founders, "");
    }

    private static void requireId(String id, Introduction answer) {
        if (!answer.node().equals(id)) {
            throw refusal(
                    "--peers has node "
                            + id
                            + " at an address where node "
                            + answer.node()
                            + " answers; correct --peers");
        }
    }

    private static void requireUnknown(Introduction self, Introduction member) {
        if (member.members().contains(self.node())) {
            throw refusal(
                    "node "
                            + self.node()
                            + " is a member of the cluster but its data directory is empty. It"
                            + " would vote without what it has acknowledged, so it does not start."
                            + " Restore the directory; or, if it is lost, run: bin/fluss nodes"
                            + " remove "
                            + self.node()
                            + ", start this node again, then run: bin/fluss nodes add "
                            + self.node()
                            + "@HOST:PORT:RAFTPORT");
        }
    }

    private static StorageException refusal(String message) {
        return new StorageException(ErrorCode.INVALID_REQUEST, message);
    }
}
