package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.format.LogEntry;
import io.warren.mirroring.metadata.format.LogSummary;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupInfoRequest;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.GroupListRequest;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.FileUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's Ratis: a server for the logs it holds, and a client that talks to the servers of others. Nothing outside of this package
 * sees a type of Ratis, and most of what is inside does not either.
 *
 * <p>Any thread may call. What talks to others waits for them, for at most the request's time limit.
 */
final class RaftEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftEngine.class);

    /** The upper half of every log's group id, "warrenmd": what else a server may hold is not ours. */
    private static final long GROUP_MARK = 0x77617272656e6d64L;

    /** The beginning of the names of their directories. */
    private static final String MARKED = "77617272-656e-6d64-*";

    private final RaftSettings settings;
    private final GuardedPort port;
    private final SecuredGrpcFactory factory;
    private final RaftProperties properties;
    private final ClientId clientId = ClientId.randomId();
    private final RaftPeerId self;
    private final RaftServer server;
    private final RaftClientRpc client;
    private final Executor resets;
    private final Set<RaftPeerId> resetting = ConcurrentHashMap.newKeySet();
    /** Numbers of requests that are no entries; those count up from 1. */
    private final AtomicLong calls = new AtomicLong(Long.MAX_VALUE / 2);

    /** What came of sending an entry. */
    static final class Reply {
        private final byte[] results;
        private final long index;

        private Reply(byte[] results, long index) {
            this.results = results;
            this.index = index;
        }

        byte[] results() {
            return results;
        }

        long index() {
            return index;
        }
    }

    /**
     * @param machines makes the replica of a log, by the log's id
     * @param resets where connections that broke are closed, which waits for them
     */
    RaftEngine(RaftSettings settings, ClusterTls tls, LongFunction<MetadataMachine> machines, Executor resets)
            throws IOException {
        this.settings = settings;
        this.resets = resets;
        keepRatisFromEndingTheProcess();
        port = new GuardedPort(settings.node(), tls);
        factory = new SecuredGrpcFactory(tls, port);
        properties = RaftProps.of(settings);
        self = RaftPeerId.valueOf(settings.node());
        client = factory.client(clientId, properties);
        server = RaftServer.newBuilder()
                .setServerId(self)
                .setStateMachineRegistry(group -> machines.apply(logId(group)))
                .setProperties(properties)
                .setParameters(SecuredGrpc.parameters(tls, port))
                .build();
    }

    /**
     * Ratis installs a handler for exceptions nobody caught, of any thread of the process, that ends the process; and ends it when a port
     * is taken. Neither is for a library to do.
     */
    private static void keepRatisFromEndingTheProcess() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        ExitUtils.disableSystemExit();
        ExitUtils.setTerminateOnUncaughtException(false);
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    /** Listens, and goes on with the logs that are in the directory. */
    void start() throws IOException {
        try {
            server.start();
        } catch (ExitUtils.ExitException refused) {
            throw new IOException(
                    "the metadata log of " + settings.node() + " cannot listen on " + settings.host() + ":"
                            + settings.port(),
                    refused);
        }
    }

    /** Where others reach this node. */
    String address() {
        return settings.host() + ":"
                + server.getServerRpc().getInetSocketAddress().getPort();
    }

    String node() {
        return settings.node();
    }

    // ------------------------------------------------------------------------------------------------------ logs

    static RaftGroupId group(long logId) {
        return RaftGroupId.valueOf(new UUID(GROUP_MARK, logId));
    }

    private static long logId(RaftGroupId group) {
        return group.getUuid().getLeastSignificantBits();
    }

    static Path directory(RaftSettings settings, long logId) {
        return settings.directory().resolve(group(logId).getUuid().toString());
    }

    /**
     * Removes what was left behind by a founding or a change of logs that did not come to its end.
     *
     * @param followed the log whose directory stays, or null if none does
     */
    static void removeLogsBut(RaftSettings settings, @Nullable Long followed) throws IOException {
        Path own = followed == null ? null : directory(settings, followed);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(settings.directory(), MARKED)) {
            for (Path entry : entries) {
                if (!entry.equals(own)) {
                    FileUtils.deleteFully(entry);
                }
            }
        }
    }

    /** Begins to hold a log, of which nothing is here yet. Without voters it waits for those who are to take it in. */
    void open(long logId, Map<String, String> voters) throws IOException {
        List<RaftPeer> peers = new ArrayList<>();
        voters.forEach((node, address) -> peers.add(peer(node, address)));
        RaftGroup group = RaftGroup.valueOf(group(logId), peers);
        check(server.groupManagement(
                GroupManagementRequest.newAdd(clientId, self, calls.incrementAndGet(), group, true)));
    }

    /** Holds a log no longer. */
    void close(long logId, boolean delete) throws IOException {
        check(server.groupManagement(GroupManagementRequest.newRemove(
                clientId, self, calls.incrementAndGet(), group(logId), delete, false)));
    }

    boolean holds(long logId) {
        for (RaftGroupId group : server.getGroupIds()) {
            if (group.equals(group(logId))) {
                return true;
            }
        }
        return false;
    }

    private RaftServer.Division division(long logId) throws IOException {
        return server.getDivision(group(logId));
    }

    /** Who leads, as far as this node knows, or null. */
    @Nullable String leader(long logId) throws IOException {
        RaftPeerId leader = division(logId).getInfo().getLeaderId();
        return leader == null || leader.toString().isEmpty() ? null : leader.toString();
    }

    /** Whether this node leads and may be sent entries. */
    boolean leads(long logId) throws IOException {
        return division(logId).getInfo().isLeaderReady();
    }

    /** Where this node's copy of the log ends. */
    LogPosition end(long logId) throws IOException {
        try {
            TermIndex last = lastEntry(logId);
            return new LogPosition(last.getTerm(), last.getIndex());
        } catch (IllegalStateException betweenTwoCopies) {
            throw new IOException("log " + Long.toHexString(logId) + " is closed here", betweenTwoCopies);
        }
    }

    private TermIndex lastEntry(long logId) throws IOException {
        RaftServer.Division division = division(logId);
        TermIndex last = division.getRaftLog().getLastEntryTermIndex();
        TermIndex applied = division.getStateMachine().getLastAppliedTermIndex();
        return last == null || last.compareTo(applied) < 0 ? applied : last;
    }

    /** What is in this node's copy of the log and not in its replica, because nobody has told that it is committed. */
    List<LogEntryProto> beyondReplica(long logId) throws IOException {
        RaftServer.Division division = division(logId);
        RaftLog log = division.getRaftLog();
        TermIndex last = log.getLastEntryTermIndex();
        List<LogEntryProto> entries = new ArrayList<>();
        long first = division.getStateMachine().getLastAppliedTermIndex().getIndex() + 1;
        for (long index = first; last != null && index <= last.getIndex(); index++) {
            LogEntryProto entry = log.get(index);
            if (entry != null && entry.hasStateMachineLogEntry()) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** Stands for election at once, in the name of a leader that is dead. False if this node may not, or somebody else leads. */
    boolean elect(long logId, String deadLeader) throws IOException {
        TermIndex last = lastEntry(logId);
        return server.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                        .setServerRequest(request(logId, RaftPeerId.valueOf(deadLeader), self))
                        .setLeaderLastEntry(last.toProto())
                        .build())
                .getServerReply()
                .getSuccess();
    }

    /**
     * Connects with other voters, or sees that the connections hold, by a question that only a leader has an answer to. One that is broken is
     * made anew the next time: by itself it would be tried again at ever longer intervals.
     */
    void connect(long logId, Set<String> nodes) throws IOException {
        RaftServer.Division division = division(logId);
        RaftPeerId leader = division.getInfo().getLeaderId();
        if (leader == null || leader.equals(self)) {
            return;
        }
        for (RaftPeer peer : division.getRaftConf().getCurrentPeers()) {
            RaftPeerId id = peer.getId();
            if (!id.equals(self) && !id.equals(leader) && nodes.contains(id.toString())) {
                ReadIndexRequestProto question = ReadIndexRequestProto.newBuilder()
                        .setServerRequest(request(logId, self, id))
                        .build();
                var unused = server.getServerRpc()
                        .async()
                        .readIndexAsync(question)
                        .whenComplete((answer, failure) -> {
                            if (failure != null) {
                                resets.execute(() -> onNotConnected(id, failure));
                            }
                        });
            }
        }
    }

    private void onNotConnected(RaftPeerId peer, Throwable failure) {
        LOG.debug("{}: metadata log: not connected with {}", settings.node(), peer, failure);
        server.getServerRpc().handleException(peer, new IOException(failure), true);
    }

    private static RaftRpcRequestProto request(long logId, RaftPeerId from, RaftPeerId to) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(from.toByteString())
                .setReplyId(to.toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group(logId).toByteString()))
                .build();
    }

    // ---------------------------------------------------------------------------------------------------- entries

    /**
     * Sends an entry to the leader.
     *
     * @param number by which the leader knows it when it comes again
     * @param leader its name; its address is looked up among the voters
     */
    CompletableFuture<Reply> send(long logId, String leader, long number, List<byte[]> commands) throws IOException {
        return send(logId, leader, number, LogEntry.ofCommands(commands));
    }

    CompletableFuture<Reply> send(long logId, String leader, long number, byte[] entry) throws IOException {
        RaftClientRequest.Builder request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setGroupId(group(logId))
                .setCallId(number)
                .setMessage(Message.valueOf(ByteString.copyFrom(entry)))
                .setType(RaftClientRequest.writeRequestType());
        if (leader.equals(settings.node())) {
            return server.submitClientRequestAsync(request.setServerId(self).build())
                    .thenApply(RaftEngine::reply);
        }
        RaftPeer peer = division(logId).getRaftConf().getPeer(RaftPeerId.valueOf(leader));
        if (peer == null) {
            throw new IOException(leader + " leads the metadata log and is not known to vote");
        }
        RaftPeerId target = target(peer.getAddress());
        return client.sendRequestAsyncUnordered(request.setServerId(target).build())
                .thenApply(RaftEngine::reply)
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        reset(target, failure);
                    }
                });
    }

    private static Reply reply(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new java.util.concurrent.CompletionException(reply.getException());
        }
        return new Reply(reply.getMessage().getContent().toByteArray(), reply.getLogIndex());
    }

    /** A connection on which something failed takes no more requests. */
    private void reset(RaftPeerId target, Throwable failure) {
        if (resetting.add(target)) {
            resets.execute(() -> {
                resetting.remove(target);
                client.handleException(target, failure, true);
            });
        }
    }

    // ------------------------------------------------------------------------------------------------------ others

    /** What the node at an address says of the logs it holds. */
    List<Standing> ask(String address) throws IOException {
        RaftPeerId target = target(address);
        try {
            GroupListReply list = (GroupListReply)
                    client.sendRequest(new GroupListRequest(clientId, target, group(0), calls.incrementAndGet()));
            List<Standing> standings = new ArrayList<>();
            for (RaftGroupId group : list.getGroupIds()) {
                if (group.getUuid().getMostSignificantBits() == GROUP_MARK) {
                    standings.add(standing((GroupInfoReply) client.sendRequest(
                            new GroupInfoRequest(clientId, target, group, calls.incrementAndGet()))));
                }
            }
            return standings;
        } catch (RuntimeException unreachable) {
            reset(target, unreachable);
            throw new IOException("no answer from " + address, unreachable);
        }
    }

    /**
     * What the node at an address says of a log it holds, from what it has applied itself.
     *
     * @return null while it has not begun there
     */
    @Nullable LogSummary summary(String address, long logId) throws IOException {
        RaftPeerId target = target(address);
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(target)
                .setGroupId(group(logId))
                .setCallId(calls.incrementAndGet())
                .setMessage(Message.EMPTY)
                .setType(RaftClientRequest.staleReadRequestType(0))
                .build();
        try {
            RaftClientReply reply = client.sendRequestAsyncUnordered(request)
                    .get(settings.patience().toMillis(), TimeUnit.MILLISECONDS);
            check(reply);
            ByteString content = reply.getMessage().getContent();
            return content.isEmpty() ? null : LogSummary.read(content.asReadOnlyByteBuffer());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking " + address, interrupted);
        } catch (ExecutionException | TimeoutException | IllegalArgumentException failed) {
            reset(target, failed);
            throw new IOException("no answer from " + address + " about log " + Long.toHexString(logId), failed);
        }
    }

    /** Of a change of voters under way, Ratis names those before and after it. */
    private static Standing standing(GroupInfoReply info) {
        return new Standing(
                info.getRoleInfoProto().getSelf().getId().toStringUtf8(),
                logId(info.getRaftGroupId()),
                info.getRoleInfoProto().getRole() == RaftPeerRole.LEADER,
                addresses(info.getGroup().getPeers()));
    }

    private static Map<String, String> addresses(Collection<RaftPeer> peers) {
        Map<String, String> addresses = new TreeMap<>();
        peers.forEach(peer -> addresses.put(peer.getId().toString(), peer.getAddress()));
        return addresses;
    }

    /** Addresses of the voters, by name. */
    static Map<String, String> addresses(RaftConfigurationProto conf) {
        Map<String, String> addresses = new TreeMap<>();
        for (RaftPeerProto peer : conf.getPeersList()) {
            addresses.put(peer.getId().toStringUtf8(), peer.getAddress());
        }
        return addresses;
    }

    /** Voters this node knows of, by name with their addresses; none while it holds nothing of the log. */
    Map<String, String> voters(long logId) throws IOException {
        try {
            return addresses(division(logId).getRaftConf().getCurrentPeers());
        } catch (GroupMismatchException betweenTwoCopies) {
            return Map.of();
        }
    }

    /** Asks the leader to let a node vote as well. Returns when it does. */
    void addVoter(Standing leader, String node, String address) throws IOException {
        setVoters(
                leader,
                SetConfigurationRequest.Arguments.newBuilder()
                        .setMode(SetConfigurationRequest.Mode.ADD)
                        .setServersInNewConf(List.of(peer(node, address)))
                        .build());
    }

    /** Asks the leader that only these vote from now on. Fails if others vote now than the leader has said. */
    void setVoters(Standing leader, Collection<String> remaining) throws IOException {
        List<RaftPeer> now = new ArrayList<>();
        List<RaftPeer> next = new ArrayList<>();
        leader.voters().forEach((node, address) -> {
            now.add(peer(node, address));
            if (remaining.contains(node)) {
                next.add(peer(node, address));
            }
        });
        setVoters(
                leader,
                SetConfigurationRequest.Arguments.newBuilder()
                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                        .setServersInCurrentConf(now)
                        .setServersInNewConf(next)
                        .build());
    }

    private void setVoters(Standing leader, SetConfigurationRequest.Arguments arguments) throws IOException {
        RaftPeerId target = target(leader.address());
        check(client.sendRequest(new SetConfigurationRequest(
                clientId, target, group(leader.logId()), calls.incrementAndGet(), arguments)));
    }

    /** Asks the leader to let another voter lead. */
    void transfer(Standing leader, String next, long timeoutMs) throws IOException {
        check(client.sendRequest(new TransferLeadershipRequest(
                clientId,
                target(leader.address()),
                group(leader.logId()),
                calls.incrementAndGet(),
                RaftPeerId.valueOf(next),
                timeoutMs)));
    }

    /** Connections are kept by address: a node that is asked first is not known by name. */
    private RaftPeerId target(String address) {
        RaftPeerId target = RaftPeerId.valueOf(address);
        client.addRaftPeers(
                List.of(RaftPeer.newBuilder().setId(target).setAddress(address).build()));
        return target;
    }

    private static RaftPeer peer(String node, String address) {
        return RaftPeer.newBuilder()
                .setId(RaftPeerId.valueOf(node))
                .setAddress(address)
                .build();
    }

    private static void check(RaftClientReply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException("refused: " + reply.getException(), reply.getException());
        }
    }

    /** Ends the server and every connection; a leader takes about a second. */
    @Override
    public void close() throws IOException {
        try {
            server.close();
        } finally {
            client.close();
            port.close();
        }
    }
}
