import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { loadSecrets, parseSecrets } from '#kernel/secrets.ts'
import { fuzzTimeoutMs, type Random, runTrials } from '../support/trials.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let folders: string[]
beforeAll(() => {
  folders = []
})
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))))

const install = async (): Promise<Record<string, unknown>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-install-'))
  folders.push(dataDir)
  await loadSecrets({ dataDir })
  return JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, unknown>
}
/** Every secret text of a file, with the way to it. */
const leaves = (value: unknown, way: readonly string[] = []): (readonly [readonly string[], string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => leaves(one, [...way, name]))
    : [[way, String(value)] as const]
const withLeaf = (stored: Record<string, unknown>, way: readonly string[], value: unknown): string => {
  const copy = structuredClone(stored)
  const last = way.at(-1) ?? ''
  let at = copy
  for (const name of way.slice(0, -1)) at = at[name] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return JSON.stringify(copy)
}

describe('V27: two fresh installations', () => {
  test(
    'share not one byte in a row, and every file of secrets that is weak, damaged or borrowed is refused without telling it',
    async () => {
      const first = await install()
      let known = new Map(leaves(first).map(([, text]) => [text, 'first']))
      const fresh = await runTrials('V27 fresh secrets', { quick: 10, long: 500 }, async (_, trial) => {
        const next = leaves(await install())
        const twin = next.find(([, text]) => known.has(text))
        // Pieces too: a key that is partly a constant would share them.
        const piece = next.find(([, text]) => [...known.keys()].some(other => other.slice(4, 20) === text.slice(4, 20)))
        known = new Map([...known, ...next.map(([, text]) => [text, String(trial)] as const)])
        return twin ? `${twin[0].join('.')} twice` : piece ? `${piece[0].join('.')} begins like another` : undefined
      })
      expect(fresh).toEqual([])
      const all = leaves(first)
      const damage = (random: Random, text: string): unknown =>
        random.pick<() => unknown>([
          () => undefined,
          () => '',
          () => null,
          () => random.int(1_000_000),
          () => [text],
          () => text.slice(0, random.int(text.length - 4)),
          () => text.slice(0, 1).repeat(text.length),
          () => 'ab'.repeat(text.length / 2),
          () => `${text} `,
          () => `${text}!`,
          () => random.pick(all)[1].replace(text, ''),
          () => 'kPH+bIxk5D2deZiIxcaaaA==',
          () => 'changeme',
          () => '0'.repeat(text.length),
        ])()
      const weak = await runTrials('V27 weak secrets', { quick: 400, long: 200_000 }, random => {
        const [way, text] = random.pick(all)
        const value = damage(random, text)
        const told = withLeaf(first, way, value)
        try {
          parseSecrets('secrets.json', told)
        } catch (error) {
          const message = String((error as Error).message)
          return all.some(([, secret]) => message.includes(secret)) ? `told a secret: ${way.join('.')}` : undefined
        }
        return value === text ? undefined : `taken: ${way.join('.')} = ${JSON.stringify(value)?.slice(0, 20)}`
      })
      expect(weak).toEqual([])
      expect(() => parseSecrets('secrets.json', JSON.stringify(first))).not.toThrow()
    },
    fuzzTimeoutMs,
  )

  test('V27 neither the program nor its bundle holds a secret of an installation or a private key', async () => {
    const own = leaves(JSON.parse(await readFile(join(inject('dataDir'), 'secrets.json'), 'utf8'))).map(([, text]) => text)
    expect(own.length).toBeGreaterThan(10)
    const found: string[] = []
    let looked = 0
    for (const folder of ['assets', 'bench', 'contract', 'docs', 'e2e', 'server', 'tools', 'web']) {
      for (const name of await readdir(join(root, folder), { recursive: true })) {
        const path = join(root, folder, name)
        if (/node_modules|\.(woff2?|ttf|otf|png|jpe?g|webp|ico)$/.test(name) || !(await stat(path)).isFile()) continue
        const text = await readFile(path, 'utf8')
        looked += 1
        if (own.some(secret => text.includes(secret))) found.push(`${folder}/${name}: a secret of this installation`)
        if (/-----BEGIN (RSA |EC |ENCRYPTED )?PRIVATE KEY-----\s*[A-Za-z0-9+/=\s]{64}/.test(text))
          found.push(`${folder}/${name}: a private key`)
        if (/\b(AKIA[0-9A-Z]{16}|ghp_\w{36}|xox[bp]-\w+)\b/.test(text)) found.push(`${folder}/${name}: a token of a service`)
      }
    }
    expect(looked).toBeGreaterThan(800)
    expect(found).toEqual([])
  })
})
