#!/usr/bin/env bash
# Sourced by commands that need three nodes in network namespaces of their own: builds, makes them and a directory $work, and removes all that at the end. Sets
# $classpath. Nodes reach each other over eth0, and their clients, who are in the hub, over eth1. With KEEP=1 the directory stays.
mvn -q -B -Dquick -pl broker-test -am test-compile dependency:build-classpath \
    -Dmdep.outputFile="$PWD/broker-test/target/mirrored-classpath" -Dmdep.includeScope=test
classpath="$PWD/broker-test/target/test-classes:$PWD/broker-test/target/classes:$(cat broker-test/target/mirrored-classpath)"
work="$(mktemp -d)"

names=(a b c)
clean_up() {
    for name in "${names[@]}" hub; do
        ip netns delete "warren-$name" 2>/dev/null || true
    done
    if [ -n "${KEEP:-}" ]; then
        echo "kept: $work"
    else
        rm -rf "$work"
    fi
}
trap clean_up EXIT

ip netns add warren-hub
ip -n warren-hub link set lo up
for net in 7 8; do
    ip -n warren-hub link add "bridge$net" type bridge
    ip -n warren-hub link set "bridge$net" up
done
ip -n warren-hub address add 10.78.0.254/24 dev bridge8
number=0
for name in "${names[@]}"; do
    number=$((number + 1))
    ip netns add "warren-$name"
    ip -n "warren-$name" link set lo up
    for net in 7 8; do
        ip -n "warren-$name" link add "eth$((net - 7))" type veth peer name "to-$name$net" netns warren-hub
        ip -n warren-hub link set "to-$name$net" master "bridge$net" up
        ip -n "warren-$name" address add "10.7$net.0.$number/24" dev "eth$((net - 7))"
        ip -n "warren-$name" link set "eth$((net - 7))" up
    done
done
