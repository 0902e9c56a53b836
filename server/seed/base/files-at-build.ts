// The build of the server calls what this file exports and writes down the answers (tools/bundle-server.mjs): an installation has no sources.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What a seed is made of: this folder, the data it reads and what it takes from the contract. */
const contexts = ['access', 'exam', 'organisation', 'person', 'reference', 'result', 'signup', 'tenancy'] as const
const folders = ['.', '../data', ...contexts.map(context => `../../../contract/src/${context}`)]

/** SHA-256 of the files that a seed is made of. */
export const digestOfFiles = (): string => {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const url = new URL(`${folder}/`, import.meta.url)
    for (const name of readdirSync(fileURLToPath(url)).sort()) {
      if (!/\.(ts|csv)$/.test(name) || name.endsWith('.test.ts')) continue
      hash.update(`${folder}/${name}\n`).update(readFileSync(new URL(name, url)))
    }
  }
  return hash.digest('hex')
}
