import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * A program of the tests with all it imports of this repository in one file: it starts in half the time, which counts where
 * a test starts it hundreds of times. The file lies where the packages are found. @returns its path; the caller deletes the folder
 */
export const bundled = async (program: URL): Promise<{ readonly folder: string; readonly file: string }> => {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'bundled-'))
  await build({
    ...{ root, configFile: false, logLevel: 'error' },
    build: { ssr: fileURLToPath(program), outDir: folder, minify: false, rolldownOptions: { output: { entryFileNames: 'program.js' } } },
    plugins: [
      {
        name: 'files are found beside the source',
        transform: (code, id) =>
          code.includes('import.meta.url') ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)) : null,
      },
    ],
  })
  return { folder, file: join(folder, 'program.js') }
}
