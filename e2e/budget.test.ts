import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const dist = join(import.meta.dirname, '..', 'web', 'dist')
const manifestPath = join(dist, '.vite', 'manifest.json')

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** Bytes of a file as a browser gets it, gzip. */
const gzBytes = (file: string): number => {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
}

/** Everything that loads before the named modules run: they, what they import, and its style sheets. */
const firstLoadKb = (manifest: Readonly<Record<string, Chunk>>, modules: readonly string[]): number => {
  const files = new Set(['index.html', 'theme-boot.js', 'favicon.svg'])
  const visit = (key: string) => {
    // A module that several programs share is listed under its name only.
    const chunk = manifest[key] ?? Object.values(manifest).find(each => each.name === key)
    if (chunk === undefined) throw new Error(`no chunk for ${key}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const sheet of chunk.css ?? []) files.add(sheet)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const module of ['index.html', ...modules]) visit(module)
  return [...files].reduce((sum, file) => sum + gzBytes(file), 0) / 1024
}

// Only a built web has bytes; the run that builds it sees them.
describe.runIf(existsSync(manifestPath))('first load in KB, gzip', () => {
  const manifest = (): Readonly<Record<string, Chunk>> => JSON.parse(readFileSync(manifestPath, 'utf8'))
  it.each([
    { page: 'login', most: 110, modules: ['src/login/entry.tsx'] },
    {
      page: 'first console list',
      most: 320,
      modules: ['src/console/entry.tsx', 'declared', 'resource-page'],
    },
    { page: 'portal home', most: 90, modules: ['portal'] },
  ])('$page stays within $most', ({ most, modules }) => {
    expect(firstLoadKb(manifest(), modules)).toBeLessThanOrEqual(most)
  })
})
