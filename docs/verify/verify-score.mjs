// Checks a proof of scores or of a seat by itself: node verify-score.mjs proof.json [root]   (the root as the office published it, else the one in the file)
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const proof = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const root = (process.argv[3] ?? proof.root).toLowerCase()

// A leaf is hashed with a zero byte before it, a pair of hashes with a one (RFC 6962).
let hash = sha256(Buffer.of(0), Buffer.from(proof.leaf, 'utf8'))
let { place, leaves } = proof
const path = proof.path.map(text => Buffer.from(text, 'hex'))
while (leaves > 1) {
  if (place % 2 === 1) hash = sha256(Buffer.of(1), path.shift() ?? Buffer.alloc(0), hash)
  else if (place + 1 < leaves) hash = sha256(Buffer.of(1), hash, path.shift() ?? Buffer.alloc(0))
  place = Math.floor(place / 2)
  leaves = Math.ceil(leaves / 2)
}
const isWhole = place === 0 && path.length === 0 && hash.toString('hex') === root

// kaopu-score-1, tenant, examination, one line for each paper (ticket number|paper|state|score|bonus), and a random text that keeps it from being guessed;
// kaopu-seat-1, examination|paper|version of the plan, sign-up number|site|room|seat, and such a text.
const [format, ...lines] = proof.leaf.split('\n')
const isSeat = format === 'kaopu-seat-1'
if (isSeat) console.log(`draw ${lines[0]}\n${lines[1]}`)
else console.log(`examination ${lines[1]}\n${lines.slice(2, -1).join('\n')}`)
const what = isSeat ? 'This seat is' : 'These scores are'
console.log(isWhole ? `${what} part of root ${root}.` : `${what} NOT part of root ${root}.`)
process.exitCode = isWhole ? 0 : 1
