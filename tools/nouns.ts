import { globSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const contract = fileURLToPath(new URL('../contract/src/', import.meta.url))
/** `./system/tenant-package.resource.ts` → `tenantPackageResource`. */
const nameOf = (file: string): string =>
  (file.split('/').at(-1) ?? '').replace(/\.ts$/, '').replace(/[-.]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The list of all files that declare nouns: bundlers and the program read it, nobody writes it. */
export const nounFilesText = (): string => {
  const files = globSync('*/*.{resource,resources,target}.ts', { cwd: contract })
    .map(file => `./${file.replaceAll('\\', '/')}`)
    .sort()
  return `// Written by \`npm run nouns\` from the files that are there. Do not edit.
${files.map(file => `import * as ${nameOf(file)} from '${file}'`).join('\n')}

export const nounFiles: readonly Readonly<Record<string, unknown>>[] = [
${files.map(file => `  ${nameOf(file)},`).join('\n')}
]
`
}

/** The list of all files that say how the audit trail names things: a page shows them, and takes nothing else of the contexts. */
export const wordFilesText = (): string => {
  const contexts = globSync('*/trail-words.ts', { cwd: contract })
    .filter(file => !file.startsWith('kernel'))
    .map(file => file.replaceAll('\\', '/').split('/')[0] ?? '')
    .sort()
  return `// Written by \`npm run nouns\` from the files that are there. Do not edit.
import type { TrailWords } from './kernel/trail-words.ts'
${contexts.map(name => `import { trailWords as ${name} } from './${name}/trail-words.ts'`).join('\n')}

export const trailWords: readonly TrailWords[] = [
${contexts.map(name => `  ${name},`).join('\n')}
]
`
}

export const writeNounFiles = (): void => {
  writeFileSync(`${contract}noun-files.ts`, nounFilesText())
  writeFileSync(`${contract}word-files.ts`, wordFilesText())
}

// `npm run nouns` writes contract/src/noun-files.ts; tools/docs.test.ts compares it with the files that are there.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeNounFiles()
