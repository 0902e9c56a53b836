// Checks a draw by itself. Of the seed: node verify-draw.mjs <published hash> <seed>   both in hexadecimal digits, as the page of the examination shows them
// Of an interview group besides: … <"examination|paper|group|version"> <file>   with the group's ticket numbers, a line each; prints the order they were drawn in
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [commit = '', seed = '', key, file] = process.argv.slice(2)
const secret = Buffer.from(seed, 'hex')
const isKept = createHash('sha256').update(secret).digest('hex') === commit.toLowerCase()
console.log(isKept ? 'This is the seed that was promised before the draw.' : 'This is NOT the seed that was promised before the draw.')
process.exitCode = isKept ? 0 : 1

// Block i of the numbers is HMAC-SHA-256 of "key|i" under the seed: eight words of 32 bits, the highest byte first.
let [block, counter, at] = [Buffer.alloc(0), 0, 0]
const word = () => {
  if (at + 4 > block.length) [block, at] = [createHmac('sha256', secret).update(`${key}|${counter++}`).digest(), 0]
  at += 4
  return block.readUInt32BE(at - 4)
}
// Words of the last incomplete multiple are left out, so that every number is equally likely.
const below = n => {
  for (;;) {
    const value = word()
    if (value < 2 ** 32 - (2 ** 32 % n)) return value % n
  }
}
if (key && file) {
  const order = readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).sort()
  // Fisher and Yates, from the end.
  for (let i = order.length - 1; i > 0; i--) {
    const j = below(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  for (const [i, number] of order.entries()) console.log(`${i + 1} ${number}`)
}
