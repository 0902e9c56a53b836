import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { ownFolder } from '../../support/own-folder.ts'
import { runTask } from '../../support/pay.ts'
import { balanceOf, send, sendScene } from '../../support/sending.ts'
import { smsEmulatorOf } from '../../support/sms.ts'

let t: TestApp | undefined
let child: ChildProcess | undefined
afterEach(async () => {
  child?.kill('SIGKILL')
  await t?.close()
})

const people = 100
const killedAfter = 40

test('[S7.45] kill -9 while a task sends: who had a message gets no second one, who had none gets theirs, and each is paid for once', async () => {
  t = await startTestApp()
  // The other process goes by the machine's clock.
  t.clock.set(new Date(Date.now()))
  const scene = await sendScene(t)
  await scene.tenant.rows(sql`update param set param_value = '0' where param_key = 'sms.quiet' returning id`)
  const emulator = await smsEmulatorOf(t)
  for (let number = 0; number < people; number++) await scene.candidate(`1377000${String(number).padStart(4, '0')}`)
  const { id } = (
    await scene.officer.post(`${send}/draft`, {
      json: { examId: scene.built.examId, templateId: scene.templateId, audience: 'passed' },
    })
  ).body.data.task
  expect((await scene.officer.post(`${send}/sendMessage`, { json: { sendId: id } })).body.data).toMatchObject({ state: 2, waiting: people })

  const sender = fork(fileURLToPath(new URL('sender.ts', import.meta.url)), [await ownFolder(), t.databaseUrl, emulator.url], {
    execArgv: [],
  })
  child = sender
  const gone = once(sender, 'exit')
  await expect.poll(() => emulator.taken().length, { timeout: 60_000, interval: 1 }).toBeGreaterThanOrEqual(killedAfter)
  sender.kill('SIGKILL')
  await gone
  const before = emulator.taken().length
  expect(before).toBeLessThan(people)

  // What the dead process held is asked about, at 1, 3 and 10 minutes; the rest is sent.
  const ends = () =>
    scene.tenant.rows(sql<{ state: number; kind: string | null; n: number }>`
      select state, fail_kind as kind, count(*)::int as n from sms_message where send_id = ${id} group by 1, 2 order by 1, 2`)
  await runTask(t, 'message.run-send', { tenantId: scene.tenant.tenantId, sendId: id })
  for (const minutes of [1, 3, 10, 10]) {
    t.clock.set(new Date(t.clock.now().getTime() + minutes * 60_000 + 1_000))
    await runTask(t, 'message.run-send', { tenantId: scene.tenant.tenantId, sendId: id })
  }
  const lost = (await ends()).find(row => row.state === 3)
  const calls = (): number[] =>
    [...new Set(emulator.taken().map(one => one.phone))].map(phone => emulator.taken().filter(one => one.phone === phone).length)
  expect(calls()).toEqual(Array.from({ length: people - (lost?.n ?? 0) }, () => 1))
  expect(lost === undefined || lost.kind === 'lost').toBe(true)
  expect(await balanceOf(scene.tenant)).toEqual({ balance: 1_000 - people + (lost?.n ?? 0), frozen: 0 })
  if (lost) {
    expect((await scene.officer.post(`${send}/resend`, { json: { sendId: id } })).status).toBe(200)
    await runTask(t, 'message.run-send', { tenantId: scene.tenant.tenantId, sendId: id })
  }
  expect(calls()).toEqual(Array.from({ length: people }, () => 1))
  expect(await balanceOf(scene.tenant)).toEqual({ balance: 1_000 - people, frozen: 0 })
}, 120_000)
