import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const dist = join(import.meta.dirname, '..', 'web', 'dist')
const manifestPath = join(dist, '.vite', 'manifest.json')

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** Bytes of a file as a browser gets it, gzip. */
const gzBytes = (file: string): number => {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
}

type Manifest = Readonly<Record<string, Chunk>>

/** The files of the named modules: they, what they import, and their style sheets. */
const filesOf = (manifest: Manifest, modules: readonly string[]): Set<string> => {
  const files = new Set<string>()
  const visit = (key: string) => {
    // A module that several programs share is listed under its name only.
    const chunk = manifest[key] ?? Object.values(manifest).find(each => each.name === key)
    if (chunk === undefined) throw new Error(`no chunk for ${key}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    // The page holds its own style sheet.
    if (key !== 'index.html') for (const sheet of chunk.css ?? []) files.add(sheet)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const module of modules) visit(module)
  return files
}
const kbOf = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + gzBytes(file), 0) / 1024

/** Everything that loads before the named modules run. */
const firstLoadKb = (manifest: Manifest, modules: readonly string[]): number =>
  kbOf(new Set(['index.html', 'favicon.svg', ...filesOf(manifest, ['index.html', ...modules])]))

/** What modules bring to a page that has the others already. */
const addedKb = (manifest: Manifest, have: readonly string[], modules: readonly string[]): number =>
  kbOf(filesOf(manifest, modules).difference(filesOf(manifest, ['index.html', ...have])))

const login = ['login']
const firstList = ['console', 'list']
const portalHome = ['portal']
/** Widgets that nobody waits for: they come when they are needed, beside what is there. */
const heavy = ['src/ui/chart-canvas.tsx', 'src/shell/flow/canvas.tsx', 'src/ui/rich-editor.tsx', 'src/kernel/sm2.ts']

// Only a built web has bytes; the run that builds it sees them.
describe.runIf(existsSync(manifestPath))('bytes in KB, gzip (stack-web 14)', () => {
  const manifest = (): Manifest => JSON.parse(readFileSync(manifestPath, 'utf8'))
  it.each([
    { page: 'login', most: 110, modules: login },
    { page: 'first console list', most: 320, modules: firstList },
    { page: 'portal home', most: 90, modules: portalHome },
  ])('first load of the $page stays within $most', ({ most, modules }) => {
    expect(firstLoadKb(manifest(), modules)).toBeLessThanOrEqual(most)
  })

  it('no program brings another one along', () => {
    const all = manifest()
    const programs = { login, portal: portalHome, console: firstList }
    const own = Object.values(all).filter(chunk => chunk.name !== undefined && chunk.name in programs && chunk.file.endsWith('.js'))
    expect(own.length).toBe(3)
    for (const [name, modules] of Object.entries(programs)) {
      const brought = own.filter(chunk => filesOf(all, modules).has(chunk.file)).map(chunk => chunk.name)
      expect(brought).toEqual([name])
    }
  })

  it('every screen of the console adds at most 25 to a shell that shows a list, the dialog of a list not counted', () => {
    const all = manifest()
    const screens = Object.keys(all).filter(key => /^src\/features\/.*page\.tsx$/.test(key) && all[key]?.isDynamicEntry)
    expect(screens.length).toBeGreaterThan(15)
    const have = [...firstList, 'src/resource/row-dialog.tsx']
    const over = screens.map(key => ({ key, kb: addedKb(all, have, [key]) })).filter(({ kb }) => kb > 25)
    expect(over).toEqual([])
  })

  it.each([
    { part: 'the sign-up form', most: 40, have: portalHome, modules: ['src/portal/form/page.tsx'] },
    {
      part: 'the dashboard with its charts',
      most: 195,
      have: firstList,
      modules: ['src/features/statistics/dashboard/page.tsx', 'src/ui/chart-canvas.tsx'],
    },
    {
      // What it shares with the drawing tool is a file of its own, which costs two more.
      part: 'the flow chart viewer',
      most: 63,
      have: [...firstList, 'src/resource/row-dialog.tsx'],
      modules: ['src/shell/flow/canvas.tsx'],
    },
    {
      part: 'the editor of rich text, tables and links included,',
      most: 145,
      have: [...firstList, 'src/resource/row-dialog.tsx'],
      modules: ['src/ui/rich-editor.tsx'],
    },
  ])('$part adds at most $most', ({ most, have, modules }) => {
    expect(addedKb(manifest(), have, modules)).toBeLessThanOrEqual(most)
  })

  it('no chunk is over 130, but for widgets that come late', () => {
    const all = manifest()
    const late = new Set(heavy.map(key => all[key]?.file))
    const over = Object.values(all).filter(chunk => !late.has(chunk.file) && gzBytes(chunk.file) / 1024 > 130)
    expect(over.map(chunk => chunk.file)).toEqual([])
  })

  it('style sheets and the page itself name no foreign host', () => {
    const sheets = Object.values(manifest()).flatMap(chunk => [...(chunk.css ?? []), ...(chunk.file.endsWith('.css') ? [chunk.file] : [])])
    const found = ['index.html', ...new Set(sheets)].flatMap(file =>
      [...readFileSync(join(dist, file), 'utf8').matchAll(/(?:url\(|src=|href=|@import )["']?(https?:)?\/\/[^"')\s]+/g)].map(
        ([address]) => `${file}: ${address}`,
      ),
    )
    expect(found).toEqual([])
  })
})
