#!/usr/bin/env bash
# Tools: prom-client 15.1.3 (npm) and promtool 2.42.0 of Prometheus (Debian 12).
# Expected: the default metrics of the client library that Prometheus lists for Node.js pass the check that Prometheus ships (`promtool check metrics`).
# Seen: nodejs_active_handles_total, nodejs_active_requests_total and nodejs_active_resources_total are gauges, and promtool ends with 3:
#   nodejs_active_handles_total non-counter metrics should not have "_total" suffix
# Why it matters: a release check that runs promtool on /metrics fails before the program has declared a metric of its own, and rate() over such a gauge means nothing.
# Exits non-zero where this behaves otherwise.
set -euo pipefail
home=$(mktemp -d); trap 'rm -rf "$home"' EXIT
command -v promtool >/dev/null || apt-get install --yes prometheus >/dev/null
cd "$home"; npm init --yes >/dev/null; npm install --silent --no-audit --no-fund prom-client@15.1.3
cat > metrics.mjs <<'JS'
import client from 'prom-client'
const register = new client.Registry()
client.collectDefaultMetrics({ register })
process.stdout.write(await register.metrics())
JS
node metrics.mjs > metrics.txt
promtool --version 2>&1 | head -1
said=$(promtool check metrics < metrics.txt 2>&1) && ended=0 || ended=$?
echo "$said"; echo "exit $ended"
[ "$ended" = 3 ]
for name in handles requests resources; do grep -q "^# TYPE nodejs_active_${name}_total gauge" metrics.txt; grep -q "nodejs_active_${name}_total non-counter" <<<"$said"; done
