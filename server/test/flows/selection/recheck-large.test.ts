import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromWireTime } from '#contract/kernel/when.ts'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { runTask } from '../../support/pay.ts'
import { recruit } from '../../support/selecting.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

/** More than the first portion of text messages, and those of a province in the long suite. */
const all = process.env['KAOPU_LONG'] ? 6_000 : 250
/** Text messages that go within the request. */
const atOnce = 200

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

test(`[S7.49] ${all} people are called at once: a call, a step, a notice and a line of the trail for each, and each gets one text message`, async () => {
  t.clock.set(fromWireTime('2026-03-17 10:00:00') ?? new Date(0))
  const w = await recruit(t)
  await w.release('01')
  await t.runTasks()
  const made = await insertSignups(
    w.tenant,
    w.exam.examId,
    Array.from({ length: all }, (_, at) => ({ name: `众${at}`, code: 'A002', type: 'A', unit: 'H02' })),
  )
  await w.tenant.rows(sql`
    insert into score_total (tenant_id, exam_id, signup_id, user_id, code, written_total, rank_in_post, shortlist, released)
    select tenant_id, exam_id, id, user_id, code, 60, 2, 1, true from signup where id = any(${made.map(one => one.id)}::bigint[])`)
  await (await t.owner()).query('analyze signup, account')
  const begin = performance.now()
  expect((await w.start()).body.data.people).toBe(all + 3)
  if (process.env['KAOPU_LONG']) process.stdout.write(`${all} people called in ${Math.round(performance.now() - begin)} ms\n`)
  const figures = () =>
    w.tenant.rows(sql<object>`
      select (select count(*)::int from signup where review_state = 1 and stage = 3 and shortlist = 1) as people,
        (select count(*)::int from selection_person where kind = 1) as listed,
        (select count(*)::int from selection_call c join notify n on n.user_id = c.user_id and n.event_key = 'selection-call:' || c.id and n.need_sure) as calls,
        (select count(*)::int from selection_step where kind = 'called' and facts ->> 'places' = '2') as steps,
        (select count(distinct entity_id)::int from audit_log where action = 'selection.called') as lines,
        (select count(*)::int from selection_call where told_at is not null) as told`)
  // Only those of the crowd have no phone.
  const texts = () => w.tenant.rows(sql<object>`select count(*)::int as n from sms_message where template = 'recheck-call'`)
  const everybody = { people: all + 3, listed: all + 3, calls: all + 3, steps: all + 3, lines: all + 3 }
  expect(await figures()).toEqual([{ ...everybody, told: atOnce }])
  const [order] = await w.tenant.rows(sql<{ payload: object }>`select payload from outbox where task = 'selection.tell'`)
  await runTask(t, 'selection.tell', order?.payload ?? {})
  await runTask(t, 'selection.tell', order?.payload ?? {})
  expect(await figures()).toEqual([{ ...everybody, told: all + 3 }])
  expect(await texts()).toEqual([{ n: 3 }])
}, 600_000)
