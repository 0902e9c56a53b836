import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Every address of the web, read from where the pages are declared: a new page is in the tours without anybody thinking of it. */
const web = fileURLToPath(new URL('../../web/src/', import.meta.url))
const contract = fileURLToPath(new URL('../../contract/src/', import.meta.url))

const importAll = (folder: string, pattern: string): Promise<Record<string, unknown>[]> =>
  Promise.all(
    globSync(pattern, { cwd: folder })
      .sort()
      .map(file => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, unknown>>),
  )

const matchesOf = (file: string, pattern: RegExp): string[] => {
  const found = [...readFileSync(join(web, file), 'utf8').matchAll(pattern)].map(match => match[1] ?? '')
  if (found.length === 0) throw new Error(`${file} declares no page: has the way of declaring them changed?`)
  return found
}

/** Screens inside the console's shell: those of the features, and the plain nouns of the contract. */
export const consolePaths = async (): Promise<string[]> => {
  const lists = (await importAll(web, 'features/**/pages.ts')) as { pages: readonly { path: string }[] }[]
  const nouns = await importAll(contract, '*/*.resource{,s}.ts')
  const menuPaths = nouns.flatMap(file =>
    Object.values(file)
      .flat()
      .flatMap(value =>
        typeof value === 'object' && value !== null && 'menuPath' in value && 'fields' in value ? [String(value.menuPath)] : [],
      ),
  )
  return [...new Set([...lists.flatMap(list => list.pages.map(page => page.path)), ...menuPaths])].sort()
}

/** Pages of the console without the shell; a redirect is none. */
export const statusPaths = (): string[] => matchesOf('console/routes.tsx', /path: '(\/[^']+)', component/g)

export const portalPaths = (): string[] => ['/', ...matchesOf('portal/routes.tsx', /^ {2}\['(\/[^']*)', /gm)]
