import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const module = fileURLToPath(new URL('memory-temp.mjs', import.meta.url))
let place: string
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'kaopu-place-'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** What a process of its own has for a temporary folder, and what lies in the place meanwhile. */
const ask = (more: Readonly<Record<string, string>> = {}, enough = 1): { readonly temp: string; readonly there: readonly string[] } => {
  const program = `
    const { keepTempInMemory } = await import(${JSON.stringify(module)})
    keepTempInMemory(${JSON.stringify(place)}, ${enough})
    const { tmpdir } = await import('node:os'), { readdirSync } = await import('node:fs')
    console.log(JSON.stringify({ temp: tmpdir(), there: readdirSync(${JSON.stringify(place)}) }))`
  const { TMPDIR: _, ...env } = process.env
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { env: { ...env, ...more }, encoding: 'utf8' }))
}

test('temporary files lie in a folder of the process, which goes with it; so does what a killed one has left', () => {
  // No process has a number above four million.
  for (const name of ['kaopu-tests-4194999', `kaopu-tests-${process.pid}`, 'of-others']) mkdirSync(join(place, name))
  const { temp, there } = ask()
  if (process.platform !== 'linux') return expect(temp).toBe(tmpdir())
  expect(temp.startsWith(join(place, 'kaopu-tests-'))).toBe(true)
  expect([...there].sort()).toEqual(['of-others', `kaopu-tests-${process.pid}`, temp.slice(place.length + 1)].sort())
  expect(readdirSync(place).sort()).toEqual(['of-others', `kaopu-tests-${process.pid}`].sort())
})

test('who says where they should lie is heeded, and nothing is made or removed', () => {
  const before = readdirSync(place)
  expect(ask({ TMPDIR: '/somewhere' })).toEqual({ temp: '/somewhere', there: before })
})

test('a place without room is left alone', () => {
  const before = readdirSync(place)
  const { temp, there } = ask({}, 1e15)
  expect([temp.startsWith(place), there]).toEqual([false, before])
})
