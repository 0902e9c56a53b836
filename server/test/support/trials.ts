/**
 * Many random attempts at one property. `npm test` makes few with a fixed seed, so a red run stays red; `npm run fuzz` makes many with
 * a new one and prints what is needed to repeat it.
 */
export const isLongFuzz = process.env['KAOPU_FUZZ'] === '1'
const seed = isLongFuzz ? Number(process.env['KAOPU_FUZZ_SEED'] ?? 1) : 20_260_317
const scale = Number(process.env['KAOPU_FUZZ_SCALE'] ?? 1)
/** After so long a property ends and says how far it came. */
const mostMs = Number(process.env['KAOPU_FUZZ_MINUTES'] ?? Number.POSITIVE_INFINITY) * 60_000
/** Long runs take as long as they take. */
export const fuzzTimeoutMs = isLongFuzz ? 3_600_000 : 120_000

export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number
  pick<T>(list: readonly T[]): T
  /** True once in `times`. */
  oneIn(times: number): boolean
}

/** mulberry32: small, fast, the same on every machine. Not for secrets. */
const createRandom = (start: number): Random => {
  let state = start >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    int,
    oneIn: times => int(times) === 0,
    pick: list => {
      const found = list[int(list.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
  }
}

const shown = 20

/** `npm test` makes a third of the few that `npm run test:long` makes. */
const share = process.env['KAOPU_LONG'] ? 1 : 1 / 3

export const trialsOf = (times: { readonly quick: number; readonly long: number }): number =>
  Math.ceil(isLongFuzz ? times.long * scale : times.quick * share)

/** Says how a property fared: trials, failures, seed and, when none failed, the bound of the rule of three. */
export const tellTrials = (name: string, trials: number, failed: number, wanted = trials): void => {
  const bound = failed === 0 ? `; with 95 % certainty fewer than ${(Math.min(1, 3 / trials) * 100).toPrecision(2)} % would` : ''
  const part = trials < wanted ? ` of ${wanted}` : ''
  console.log(`${name}: ${trials}${part} trials, ${failed} failures, seed ${seed}${bound}`)
}

/**
 * Runs the trials and prints trials, failures, seed and, when none failed, the bound of the rule of three: with 95 % certainty fewer
 * than 3/N of such attempts would succeed.
 * @param one - says what went wrong, undefined when nothing did
 * @returns the first failures, each with the number of its trial
 */
export const runTrials = async (
  name: string,
  times: { readonly quick: number; readonly long: number },
  one: (random: Random, trial: number) => Promise<string | undefined> | string | undefined,
): Promise<readonly string[]> => {
  const wanted = trialsOf(times)
  const failures: string[] = []
  let failed = 0
  let trials = 0
  const began = performance.now()
  for (let trial = 0; trial < wanted; trial += 1) {
    if (isLongFuzz && performance.now() - began > mostMs) break
    trials += 1
    // Each trial has its own numbers: one of them can be repeated alone.
    const wrong = await one(createRandom(seed + trial * 7_919), trial)
    if (wrong === undefined) continue
    failed += 1
    if (failures.length < shown) failures.push(`trial ${trial}: ${wrong}`)
  }
  tellTrials(name, trials, failed, wanted)
  return failures
}
