// Which tests belong to a context: node tools/test.mjs --context pay. Plain JavaScript: it runs before the packages are there.
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Where a context has its folders, under the same name in each. */
const homes = ['contract/src', 'server/src/modules', 'web/src/features']

const foldersOf = path =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(entry => entry.name)
    : []

/** The names of all contexts; the kernels belong to none. */
export const contextsOf = root => [...new Set(homes.flatMap(home => foldersOf(join(root, home))))].filter(name => name !== 'kernel').sort()

/** Whether a file lies in a folder of the context, or has its name as a word of its own: `pay-refund.test.ts`, `portal-pay.test.ts`. */
export const isOfContext = (path, context) => {
  const [file, ...folders] = path.split('/').reverse()
  return folders.includes(context) || basename(file).split(/[-.]/).includes(context)
}

/** The test files of a context below some folders, as paths from the root. */
export const testsOfContext = (root, folders, context) =>
  folders
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(name => `${folder}/${String(name).replaceAll('\\', '/')}`))
    .filter(path => /\.test\.tsx?$/.test(path) && isOfContext(path, context))
    .sort()
