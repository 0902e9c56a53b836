#!/usr/bin/env bash
# Library: s3mini 1.0.2 (npm), a small S3 client for browsers, workers and Node.
# Expected: listObjects(delimiter, prefix) and listObjectsPaged(delimiter, prefix, …) send their first argument as the `delimiter` of ListObjectsV2, as their
#   documentation says ("the delimiter to use for grouping objects"), so that a folder is listed without what lies in its subfolders.
# Seen: the argument never reaches the query. It becomes the path of the request: '/' asks for /bucket/, 'x' for /bucket/x, which lists the object or the
#   "folder" of that name. Everything below the prefix comes back at any depth.
# Why it matters: a program that clears one level of a bucket (a day's exports, a form's uploads) by this list removes the levels below it too.
# Exits non-zero where this behaves otherwise.
set -euo pipefail
home=$(mktemp -d); trap 'rm -rf "$home"' EXIT
cd "$home"; npm init --yes >/dev/null; npm install --silent --no-audit --no-fund s3mini@1.0.2
cat > try.mjs <<'JS'
import { createServer } from 'node:http'
import { S3mini } from 's3mini'
const asked = []
const keys = ['day/1.txt', 'day/old/2.txt']
const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://s3')
  asked.push({ path: url.pathname, delimiter: url.searchParams.get('delimiter'), prefix: url.searchParams.get('prefix') })
  const rows = keys.map(key => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')
  response.setHeader('content-type', 'application/xml')
  response.end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${rows}</ListBucketResult>`)
}).listen(0)
await new Promise(done => server.once('listening', done))
const s3 = new S3mini({ accessKeyId: 'a', secretAccessKey: 'b', endpoint: `http://127.0.0.1:${server.address().port}/bucket`, region: 'auto' })
await s3.listObjects('/', 'day/')
await s3.listObjectsPaged('-', 'day/', 10)
server.close()
for (const each of asked) console.log(JSON.stringify(each))
const [first, second] = asked
if (first.delimiter !== null || second.delimiter !== null) throw new Error('the delimiter is sent')
if (!second.path.endsWith('-') || first.path.includes('-')) throw new Error('the delimiter is no part of the path')
JS
node try.mjs
