#!/usr/bin/env bash
# amqp-tools (librabbitmq) against an AMQP broker: declare, publish 10,000, consume with acks, and an error.
set -euo pipefail
messages=10000
url="amqp://guest:guest@127.0.0.1:$1"
queue="smoke-amqp-tools"

amqp-declare-queue -u "$url" -q "$queue" >/dev/null
trap 'amqp-delete-queue -u "$url" -q "$queue" >/dev/null' EXIT
seq "$messages" | amqp-publish -u "$url" -r "$queue" -l
got="$(amqp-get -u "$url" -q "$queue")"
[[ "$got" == 1 ]] || { echo "amqp-tools: got '$got' first" >&2; exit 1; }
# cat ends each message without a line end of its own: the sum of digits tells that all came.
amqp-consume -u "$url" -q "$queue" -c $((messages - 1)) -p 500 cat >"${TMPDIR:-/tmp}/amqp-tools.$$"
received="$(cat "${TMPDIR:-/tmp}/amqp-tools.$$")"
rm "${TMPDIR:-/tmp}/amqp-tools.$$"
expected="$(seq 2 "$messages" | tr -d '\n')"
[[ "${received//$'\n'/}" == "$expected" ]] || { echo "amqp-tools: received something else" >&2; exit 1; }
if amqp-get -u "$url" -q no-such-queue 2>/dev/null; then
    echo "amqp-tools: a queue that does not exist was read" >&2
    exit 1
fi
echo "amqp-tools: $messages published, consumed in order; 1 error as expected"
