import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Fills docs/conformance.md with the tests that prove each statement: `node tools/conformance.ts [--check]`.
const root = fileURLToPath(new URL('..', import.meta.url))
const page = `${root}docs/conformance.md`
const folders = ['contract/src', 'server/src', 'server/test', 'server/seed', 'web/src', 'e2e', 'tools']

interface Proof {
  readonly file: string
  readonly ids: readonly string[]
}

/** Every `[S4.02]` in the title of a test; `[S7.01–S7.11]` and `[S5.23]–[S5.27]` name a range. */
const idsOfTitle = (title: string): string[] => {
  const ids: string[] = []
  for (const [, from = '', to] of title.matchAll(/\[(S\d\.\d\d)\](?:\s*[–-]\s*\[(S\d\.\d\d)\])?/g)) {
    const section = from.slice(0, 3)
    const last = to?.startsWith(section) ? Number(to.slice(3)) : Number(from.slice(3))
    for (let n = Number(from.slice(3)); n <= last; n += 1) ids.push(`${section}${String(n).padStart(2, '0')}`)
  }
  return ids
}

const proofs = (): Proof[] =>
  folders.flatMap(folder =>
    readdirSync(root + folder, { recursive: true })
      .map(name => `${folder}/${String(name)}`)
      .filter(name => /\.test\.tsx?$/.test(name))
      .map(file => ({ file, ids: idsOfTitle(readFileSync(root + file, 'utf8')) })),
  )

const rows = readFileSync(page, 'utf8')
  .split('\n')
  .flatMap(line => {
    const [, id, words] = /^\| (S\d\.\d\d) \| ([^|]*?) \|/.exec(line) ?? []
    return id && words ? [{ id, words }] : []
  })
const known = new Set(rows.map(row => row.id))
const found = proofs()
const unknown = found.flatMap(proof => proof.ids.filter(id => !known.has(id)).map(id => `${id} in ${proof.file}`))
const provenBy = (id: string): string[] => found.filter(proof => proof.ids.includes(id)).map(proof => proof.file)

const covered = rows.filter(row => provenBy(row.id).length > 0)
const body = rows.map(
  row =>
    `| ${row.id} | ${row.words} | ${
      provenBy(row.id)
        .map(file => `\`${file}\``)
        .join(', ') || '—'
    } |`,
)
const text = `# Conformance

A row per statement of the specification, in few words, with the tests whose titles carry its id. Written by \`npm run conformance\`.
${covered.length} of ${rows.length} statements are named by a test.

| Id | Statement | Proven by |
|---|---|---|
${body.join('\n')}
`
if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/conformance.md is out of date: run npm run conformance')
    process.exitCode = 1
  }
} else writeFileSync(page, text)
console.log(`${covered.length} of ${rows.length} statements are named by a test`)
console.log(
  `not named: ${rows
    .filter(row => !covered.includes(row))
    .map(row => row.id)
    .join(' ')}`,
)
if (unknown.length > 0) {
  console.error(`unknown ids: ${unknown.join(', ')}`)
  process.exitCode = 1
}
