import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const web = fileURLToPath(new URL('../web/src/', import.meta.url))

test('[S1.07] no screen keeps a text of a refusal beside its language', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: web }).filter(file => !file.endsWith('.test.ts'))
  const texts = /const \[(?:errors?|wrong|refusal|problem|failure), set\w+\] = useState(?:<[^\n]*(?:string|Errors|Wrong|Failure)|\('')/
  expect(sources.filter(file => texts.test(readFileSync(`${web}${file}`, 'utf8')))).toEqual([])
})
