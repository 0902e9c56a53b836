import { globSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { bundled } from '../server/test/support/bundled.ts'
import { childProgram } from './bundle-server.mjs'

const root = dirname(import.meta.dirname)
const shelf = join(root, 'node_modules', '.cache', 'kaopu-children')
const builtFile = (name: string): string => join(shelf, `${name}.mjs`)

/**
 * For the tests of the sources: what these start as a process of its own is built as the server's is. Stripping its types anew for each workbook was a
 * tenth of the medium tests. The files are built when a run begins, at a place that does not change: what Vitest made of the sources that name it is
 * kept from run to run.
 */
export const builtChildren = async (): Promise<Plugin> => {
  await mkdir(shelf, { recursive: true })
  for (const source of globSync('server/src/**/*-child.ts', { cwd: root })) {
    const { folder, file } = await bundled(pathToFileURL(join(root, source)))
    // At once: another run may be starting it.
    await rename(file, builtFile(basename(source, '.ts')))
    await rm(folder, { recursive: true })
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
