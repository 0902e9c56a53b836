import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startTestApp } from '../../support/app.ts'

test('orders of the queue that scheduled jobs have replaced go with the upgrade, and no others', async () => {
  const t = await startTestApp()
  try {
    const owner = await t.owner()
    await owner.query("select set_config('app.now', now()::text, false)")
    for (const task of ['pay.sweep', 'pay.watch-order', 'auth.purge', 'person.close-accounts'])
      await owner.query("select graphile_worker.add_job($1, '{}'::json, job_key => $1)", [task])
    for (const task of ['log.purge', 'pay.lapse'])
      await owner.query("insert into outbox (tenant_id, task, payload) values ('000000', $1, '{}')", [task])
    const left = async () => ({
      queue: (await owner.query('select task_identifier as task from graphile_worker.jobs order by 1')).rows.map(row => row.task),
      outbox: (await owner.query('select task from outbox order by 1')).rows.map(row => row.task),
    })
    await owner.query(await readFile(new URL('../../../migrations/0765_former_tasks.sql', import.meta.url), 'utf8'))
    expect(await left()).toEqual({ queue: ['pay.watch-order'], outbox: ['pay.lapse'] })
  } finally {
    await t.close()
  }
})
