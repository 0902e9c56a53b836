import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { declaredDictionaries } from './dictionaries.ts'
import { menuSeeds } from './menus.ts'

/** What a seed is made of: this folder, the data it reads and what it takes from the contract. */
const contexts = ['access', 'exam', 'organisation', 'person', 'reference', 'result', 'signup', 'tenancy'] as const
const folders = ['.', '../data', ...contexts.map(context => `../../../contract/src/${context}`)]

let known: string | undefined

/**
 * The same for as long as the program seeds a tenant with the same things in the same way. It is taken from the files themselves, so that
 * nobody has to remember to count a version up; a change too many costs one start some seconds.
 */
export const seedDigest = (): string => {
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const folder of folders) {
    const url = new URL(`${folder}/`, import.meta.url)
    for (const name of readdirSync(fileURLToPath(url)).sort()) {
      if (!/\.(ts|csv)$/.test(name) || name.endsWith('.test.ts')) continue
      hash.update(`${folder}/${name}\n`).update(readFileSync(new URL(name, url)))
    }
  }
  // Menus and dictionaries stand with the nouns they are about, in any context.
  hash.update(JSON.stringify([menuSeeds, declaredDictionaries()]))
  known = hash.digest('hex')
  return known
}
