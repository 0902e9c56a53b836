import { createHash } from 'node:crypto'
import { declaredDictionaries } from './dictionaries.ts'
import { digestOfFiles } from './files-at-build.ts'
import { menuSeeds } from './menus.ts'

let known: string | undefined

/**
 * The same for as long as the program seeds a tenant with the same things in the same way. It is taken from the files themselves, so that
 * nobody has to remember to count a version up; a change too many costs one start some seconds.
 */
export const seedDigest = (): string => {
  // Menus and dictionaries stand with the nouns they are about, in any context.
  known ??= createHash('sha256')
    .update(digestOfFiles())
    .update(JSON.stringify([menuSeeds, declaredDictionaries()]))
    .digest('hex')
  return known
}
