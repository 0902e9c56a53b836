// Checks the seed of a draw: node verify-draw.mjs <published hash> <seed>   both in hexadecimal digits, as the page of the examination shows them
import { createHash } from 'node:crypto'

const [commit = '', seed = ''] = process.argv.slice(2)
const isKept = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex') === commit.toLowerCase()
console.log(isKept ? 'This is the seed that was promised before the draw.' : 'This is NOT the seed that was promised before the draw.')
process.exitCode = isKept ? 0 : 1
