import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { wireNames } from '#contract/wire-names.ts'

export const glossaryText = (): string => `# Odd names of the wire

The calls keep the spelling that other systems know. These of their words do not say what they mean. Printed from \`contract/src/wire-names.ts\` by \`npm run glossary\`.

| On the wire | Means | 中文 | English |
|---|---|---|---|
${Object.entries(wireNames)
  .map(([name, { means, zh, en }]) => `| \`${name}\` | \`${means}\` | ${zh} | ${en} |`)
  .join('\n')}
`

// `npm run glossary` writes docs/glossary.md.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../docs/glossary.md', import.meta.url)), glossaryText())
  console.log(`${Object.keys(wireNames).length} names`)
}
