import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../support/app.ts'

test('[S7.39] work that a killed process held is done by another at once; that of a worker that lives stays with it', async () => {
  const t = await startTestApp({ withWorker: true })
  try {
    const owner = await t.owner()
    const named =
      "select count(*)::int as n from pg_locks where locktype = 'advisory' and objsubid = 2 and classid = hashtext('kaopu.worker')::oid"
    await expect.poll(async () => (await owner.query(named)).rows).toEqual([{ n: 1 }])
    const take = async (queue: string, worker: string, seconds: number) => {
      const { rows } = await owner.query<{ id: string }>(
        "select id::text as id from graphile_worker.add_job('pay.lapse', $1::json, queue_name => $2, run_at => now() + interval '1 hour')",
        [JSON.stringify({ tenantId: '000000', payId: '1' }), queue],
      )
      await owner.query(
        `with job as (
           update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - make_interval(secs => $3), run_at = now() where id = $1 returning job_queue_id)
         update graphile_worker._private_job_queues q set locked_by = $2, locked_at = now() - make_interval(secs => $3) from job where q.id = job.job_queue_id`,
        [rows[0]?.id, worker, seconds],
      )
    }
    const held = async () => {
      const { rows } = await owner.query<{ queue: string; worker: string | null }>(
        'select q.queue_name as queue, j.locked_by as worker from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by 1',
      )
      return rows.map(row => [row.queue, row.worker])
    }
    await owner.query("select pg_advisory_lock(hashtext('kaopu.worker'), hashtext('worker-of-another-process'))")
    await take('a', 'worker-killed', 60)
    await take('b', 'worker-of-another-process', 60)
    await take('c', 'worker-just-begun', 1)
    expect(await t.app.worker?.freeAbandoned()).toBe(1)
    await expect.poll(held, { timeout: 10_000 }).toEqual([
      ['b', 'worker-of-another-process'],
      ['c', 'worker-just-begun'],
    ])
    expect(await t.app.worker?.freeAbandoned()).toBe(0)
    await owner.query('select pg_advisory_unlock_all()')
    expect(await t.app.worker?.freeAbandoned()).toBe(1)
    await expect.poll(held, { timeout: 10_000 }).toEqual([['c', 'worker-just-begun']])
  } finally {
    await t.close()
  }
})

test('long work of a process that lives stays with it, however long it takes: nobody begins it a second time', async () => {
  const t = await startTestApp({ withWorker: true })
  const owner = await t.owner()
  try {
    // The task waits for this table, and its job is held meanwhile.
    await owner.query('begin; lock table exam_pay in access exclusive mode')
    const watcher = await t.owner()
    await watcher.query("select graphile_worker.add_job('pay.lapse', $1::json)", [JSON.stringify({ tenantId: '000000', payId: '1' })])
    const held = async () =>
      (await watcher.query<{ who: string | null }>('select locked_by as who from graphile_worker._private_jobs')).rows.map(row => row.who)
    await expect.poll(held, { timeout: 10_000 }).toEqual([expect.any(String)])
    const [holder] = await held()
    await watcher.query("update graphile_worker._private_jobs set locked_at = now() - interval '5 minutes'")
    expect([await t.app.worker?.freeAbandoned(), await held()]).toEqual([0, [holder]])
    // Other processes ask for the name too, which lives as long as this one.
    const { rows } = await watcher.query(
      "select count(*)::int as n from pg_locks where locktype = 'advisory' and objsubid = 2 and classid = hashtext('kaopu.worker')::oid and objid = hashtext($1)::oid",
      [holder],
    )
    expect(rows).toEqual([{ n: 1 }])
  } finally {
    await owner.query('rollback')
    await t.close()
  }
})

test('a database that says goodbye while the program ends does not bring it down: the connection that hears of work is given back once', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const test = await startTestApp({ withWorker: true })
  const heard = query.mock.calls.findIndex(([text]) => (text as unknown) === 'listen kaopu_outbox')
  const client = query.mock.contexts[heard] as pg.Client
  query.mockRestore()
  expect(client.listenerCount('error')).toBeGreaterThan(0)
  await test.close()
  client.emit('error', new Error('terminating connection due to administrator command'))
})
