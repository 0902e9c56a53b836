import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionsOf } from '#kernel/db/pool.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
)

test('an instance whose data folder is not the one of the installation neither stores, reads, moves nor removes files there', async () => {
  const owner = await t.owner()
  await owner.query(
    `insert into installation_mark (kind, name, value) values ('identity', 'installation', gen_random_uuid()::text), ('identity', 'folder', gen_random_uuid()::text)`,
  )
  const other = await t.beside()
  const tenant = await t.tenant()
  const { token, userId } = await tenant.candidate()
  const answer = await other.anonymous().post('/file/upload', {
    multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'one.pdf', bytes: pdf }] },
    headers: { 'blade-auth': `bearer ${token}` },
    language: 'en',
  })
  expect([answer.status, answer.body.reason]).toEqual([503, 'kernel/storage'])
  expect(answer.body.msg).toContain('the data folder of this process is not the one in which the files of the installation lie')
  expect(await tenant.rows(sql<object>`select id from stored_file where user_id = ${userId}`)).toEqual([])
  const { files } = other.app.services
  const disk = await files.at(undefined)
  for (const refused of [
    files.open('a'.repeat(43)),
    files.remove('a'.repeat(43)),
    disk.put(pdf, { maxBytes: 1_000 }),
    disk.reseal('a'.repeat(43)),
  ])
    await expect(refused).rejects.toThrow('the data folder of this process is not the one')
})

test('connections of a process are shared out among its roles, and no more than it may make', () => {
  const sum = (total: number): number => Object.values(connectionsOf(total)).reduce((all, one) => all + one, 0)
  expect(connectionsOf(50)).toMatchObject({ kaopu_staff: 10, kaopu_candidate: 10, kaopu_system: 10, kaopu_platform: 5, kaopu_worker: 5 })
  expect([24, 50, 80, 200, 500].filter(total => sum(total) > total)).toEqual([])
  expect(Math.min(...Object.values(connectionsOf(24)))).toBe(3)
})

test('a start warns where all instances together may ask for more connections than the server gives', async () => {
  const owner = await t.owner()
  const warned: unknown[] = []
  const log: Log = createLog('silent')
  log.warn = (...words: unknown[]) => void warned.push(words)
  const told = async () => {
    warned.length = 0
    const one = await startTestApp({ databaseUrl: t.databaseUrl, withWorker: true, log })
    await one.close()
    return warned.filter(words => JSON.stringify(words).includes('may run out of connections'))
  }
  expect(await told()).toEqual([])
  // Killed processes leave their rows behind; those that live hold a lock.
  await owner.query(`insert into job_runner (runner, host) select g, 'other' from generate_series(1, 9) g`)
  expect(await told()).toEqual([])
  const alive = new pg.Client({ connectionString: t.databaseUrl })
  await alive.connect()
  await alive.query('select pg_advisory_lock(g) from generate_series(1::bigint, 9) g')
  await owner.query(`insert into job_runner (runner, host) select g, 'other' from generate_series(1, 9) g on conflict do nothing`)
  const warnings = await told()
  await alive.end()
  expect(warnings).toEqual([
    [
      { instances: 10, connectionsEach: 50, wanted: 500, serverGives: expect.any(Number) },
      'the database server may run out of connections: raise max_connections or lower KAOPU_DATABASE_CONNECTIONS',
    ],
  ])
})
