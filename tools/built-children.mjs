// For the tests of the sources: what these start as a process of its own is built as the server's is (tools/bundle-server.mjs). Stripping its types
// anew for each workbook was a tenth of the medium tests.
import { globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundle, childProgram } from './bundle-server.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, 'node_modules', '.cache')
const builtFile = name => join(cache, 'kaopu-children', `${name}.mjs`)

/**
 * A plugin of Vite. The files are built when a run begins, at a place that does not change: what Vitest made of the sources that name it is kept from
 * run to run.
 */
export const builtChildren = async () => {
  mkdirSync(dirname(builtFile('')), { recursive: true })
  for (const source of globSync('server/src/**/*-child.ts', { cwd: root })) {
    const folder = mkdtempSync(join(cache, 'child-'))
    await bundle(join(root, source), folder)
    // At once: another run may be starting it.
    renameSync(join(folder, 'main.mjs'), builtFile(basename(source, '.ts')))
    rmSync(folder, { recursive: true })
  }
  return {
    name: 'built-children',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('node_modules')) return null
      const built = code.replaceAll(childProgram, (_, name) => `new URL(${JSON.stringify(pathToFileURL(builtFile(name)).href)})`)
      return built === code ? null : { code: built, map: null }
    },
  }
}
