/** Names of `--only`, in the order they run. */
const workNames = [
  ...[
    'list',
    'capped',
    'narrowed',
    'short',
    'deep',
    'name',
    'detail',
    'own',
    'create',
    'submits',
    'score',
    'mixed',
    'login',
    'statistics',
    'remembered',
  ],
  ...['ticket', 'export', 'import', 'start', 'growth', 'tenant', 'peer', 'jobs', 'flow'],
] as const
export type WorkName = (typeof workNames)[number]

export interface Options {
  readonly only: ReadonlySet<WorkName>
  readonly rows: number
  readonly quick: boolean
  /** Of peer and growth: the lines whose titles match. */
  readonly line: RegExp
  /** First port to try. */
  readonly port: number
  /** Folder for a CPU profile of the product. */
  readonly profileDir: string | undefined
  /** Keeps docs/bench.md as it is; so do --quick, --only and --profile. */
  readonly dry: boolean
}

const usage = `npm run bench -- [--only ${workNames.slice(0, 3).join(',')},…] [--line <part of a title>] [--rows 200000] [--quick] [--port 7710] [--profile <folder>] [--dry]
works: ${workNames.join(', ')}`

/** @throws Error with a sentence and the usage. */
export const parseOptions = (args: readonly string[]): Options => {
  const values = new Map<string, string>()
  for (let i = 0; i < args.length; i += 1) {
    const name = args[i] ?? ''
    if (name === '--quick' || name === '--dry') values.set(name, 'yes')
    else if (['--only', '--line', '--rows', '--port', '--profile'].includes(name) && args[i + 1] !== undefined) {
      i += 1
      values.set(name, args[i] ?? '')
    } else throw new Error(`Unknown or incomplete argument: ${name}\n${usage}`)
  }
  const whole = (name: string, fallback: number, least: number): number => {
    const text = values.get(name)
    if (text === undefined) return fallback
    if (!/^\d{1,7}$/.test(text) || Number(text) < least) throw new Error(`${name} must be a whole number of at least ${least}\n${usage}`)
    return Number(text)
  }
  const quick = values.has('--quick')
  const wanted = values.get('--only')?.split(',') ?? workNames
  const unknown = wanted.filter(name => !(workNames as readonly string[]).includes(name))
  if (unknown.length > 0) throw new Error(`Unknown work: ${unknown.join(', ')}\n${usage}`)
  return {
    only: new Set(wanted as readonly WorkName[]),
    rows: whole('--rows', quick ? 20_000 : 200_000, 2_000),
    quick,
    line: new RegExp(values.get('--line') ?? '', 'i'),
    port: whole('--port', 7710, 1),
    profileDir: values.get('--profile'),
    dry: values.has('--dry'),
  }
}
