import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RefusalDefinition } from '#contract/kernel/refusal.ts'

const contract = fileURLToPath(new URL('../contract/src/', import.meta.url))

/** The error tables of a file. */
const tableOf = async (file: string): Promise<Readonly<Record<string, RefusalDefinition>>> => {
  const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(join(contract, file)).href)
  return Object.assign({}, ...Object.entries(module).flatMap(([name, value]) => (name.endsWith('Errors') ? [value] : [])))
}

/** Every error table of the contract by its file, the kernel's first. */
export const errorTables: Readonly<Record<string, Readonly<Record<string, RefusalDefinition>>>> = Object.fromEntries(
  await Promise.all(
    [
      'kernel/errors.ts',
      ...globSync('*/*.errors.ts', { cwd: contract })
        .map(file => file.replaceAll('\\', '/'))
        .sort(),
    ].map(async file => [`contract/src/${file}`, await tableOf(file)] as const),
  ),
)

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const tableText = ([path, table]: readonly [string, Readonly<Record<string, RefusalDefinition>>]): string => `## \`${path}\`

| Code | Reason | Status | 中文 | English |
|---|---|---|---|---|
${Object.entries(table)
  .map(([reason, { code, status, zh, en }]) => `| ${code} | \`${reason}\` | ${status} | ${cell(zh)} | ${cell(en)} |`)
  .join('\n')}
`

export const errorsText = (): string => `# Refusals

Everything the server declines on purpose, printed from the error tables of the contract by \`npm run errors\`. The answer is
\`{code, success: false, data, msg, reason, traceId}\` with the HTTP status below; \`{…}\` in a text is filled in, and token calls add
OAuth's three fields. Several reasons may share a number: programs tell them apart by the reason.

${Object.entries(errorTables).map(tableText).join('\n')}`

// `npm run errors` writes docs/errors.md.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../docs/errors.md', import.meta.url)), errorsText())
  console.log(`${Object.values(errorTables).flatMap(table => Object.keys(table)).length} refusals`)
}
