import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { whenListening } from '../web/hold-calls.ts'
import { adviceFor, beginAnew } from './dev-data.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaopu-dev-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const demo = (): string => {
  const data = join(folder, 'data')
  mkdirSync(join(data, 'postgres', 'pgdata'), { recursive: true })
  writeFileSync(join(data, 'demo-accounts.json'), '[]')
  return data
}
/** No process has it: the kernel gives smaller numbers. */
const nobody = 4_194_305

describe('[20.7] npm run dev -- --fresh', () => {
  test('removes the data of a demo that nobody works on, and nothing where there is none', () => {
    const data = demo()
    writeFileSync(join(data, 'running.json'), JSON.stringify({ url: 'x', pid: nobody }))
    writeFileSync(join(data, 'postgres', 'pgdata', 'postmaster.pid'), `${nobody}\n/x\n`)
    beginAnew(data)
    expect(existsSync(data)).toBe(false)
    expect(() => beginAnew(data)).not.toThrow()
  })

  test('leaves a folder alone that is not a demo’s, that is at work, or whose database is elsewhere', () => {
    expect(() => beginAnew(folder)).toThrow('has no demo-accounts.json')
    const data = demo()
    expect(() => beginAnew(data, 'postgresql://elsewhere/kaopu')).toThrow('with DATABASE_URL the database is elsewhere')
    writeFileSync(join(data, 'postgres', 'pgdata', 'postmaster.pid'), `${process.pid}\n/x\n`)
    expect(() => beginAnew(data)).toThrow(`Kaopu is at work on ${data} (process ${process.pid})`)
    expect(existsSync(data)).toBe(true)
  })
})

test('[20.7] a migration that was changed after it ran is named, with what to do; any other line is not', () => {
  expect(adviceFor('{"msg":"The migration 0660_note.sql was changed after it was applied. Restore the file"}')).toMatch(
    /^0660_note\.sql ran in this demo before its last change\. .*npm run dev -- --fresh/,
  )
  expect(adviceFor('The database is newer than this program: it has the migration 0661_x.sql.')).toMatch(/--fresh/)
  expect(adviceFor('The migration 0660_note.sql failed: syntax error')).toBeUndefined()
})

describe('[20.7] calls of the pages while the server starts anew', () => {
  let server: Server | undefined
  afterEach(() => new Promise<void>(done => (server ? server.close(() => done()) : done())))
  const listen = (port: number): Promise<number> =>
    new Promise(done => {
      const made = createServer().listen(port, '127.0.0.1', () => done((made.address() as { readonly port: number }).port))
      server = made
    })

  test('wait until it listens', async () => {
    const port = await listen(0)
    const address = `http://127.0.0.1:${port}`
    await whenListening(address)
    await new Promise<void>(done => server?.close(() => done()))
    let isHeld = true
    const held = whenListening(address).then(() => {
      isHeld = false
    })
    // It gave up on nobody: the first look found no server.
    await whenListening(address, 0)
    expect(isHeld).toBe(true)
    await listen(port)
    await held
    expect(isHeld).toBe(false)
  })
})
