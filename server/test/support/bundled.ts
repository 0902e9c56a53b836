import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../../tools/bundle-server.mjs'

/**
 * A program of the tests in one file, as the server is built: it starts in a third of the time, which counts where a test starts it hundreds of
 * times. The file lies where the packages are found. @returns its path; the caller deletes the folder
 */
export const bundled = async (program: URL): Promise<{ readonly folder: string; readonly file: string }> => {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url))
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'bundled-'))
  await bundle(fileURLToPath(program), folder)
  return { folder, file: join(folder, 'main.mjs') }
}
