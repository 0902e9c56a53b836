// The long form of server/test/fuzz: node tools/fuzz.mjs [--seed N] [--scale 0.1] [--minutes 20] [--only V5]. Prints trials, failures, seed and bound of each.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, pinnedNode, root, run } from './install.mjs'

const { values: wish } = parseArgs({
  options: { seed: { type: 'string' }, scale: { type: 'string' }, minutes: { type: 'string' }, only: { type: 'string' } },
})
const number = (name, fallback) => {
  const value = Number(wish[name] ?? fallback)
  if (!(value > 0)) throw new Error(`--${name} is a number above 0, not ${wish[name]}`)
  return String(value)
}
await install()
const env = {
  ...process.env,
  KAOPU_FUZZ: '1',
  KAOPU_FUZZ_SCALE: number('scale', 1),
  ...(wish.minutes === undefined ? {} : { KAOPU_FUZZ_MINUTES: number('minutes') }),
  KAOPU_FUZZ_SEED: number('seed', 1 + (Date.now() % 1_000_000_007)),
}
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const only = wish.only === undefined ? [] : ['-t', `^${wish.only}\\b`]
process.exitCode = await run(
  pinnedNode(),
  [vitest, 'run', '--config', 'server/test/vitest.config.ts', 'server/test/fuzz/', '--silent=false', ...only],
  { env },
)
