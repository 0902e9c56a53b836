import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { testPassword } from '../support/login.ts'
import { type Logins, loginsOf, type Tab, tabOf } from '../support/logins.ts'
import { fuzzTimeoutMs, type Random, runTrials } from '../support/trials.ts'
import { resetByTwo } from '../support/two-persons.ts'

let t: TestApp
let tenant: TestTenant
let people: Logins
let admin: Person
let colleague: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  people = loginsOf(t, tenant)
  admin = await tenant.staff('admin')
  colleague = await tenant.staff('admin')
})
afterAll(() => t.close())

/** What somebody who follows the rules on paper knows about one account. */
interface Model {
  /** The password that opens, and until when where an administrator had it made. */
  password: string
  until: number | undefined
  shut: 'no' | 'locked' | 'disabled'
  /** Passwords that opened once. */
  readonly old: string[]
  tab: { readonly at: Tab; readonly due: boolean } | undefined
}
const commands = [
  'reset',
  'log in',
  'log in with an old one',
  'change',
  'change without the old one',
  'wait',
  'shut',
  'open',
  'look',
  'skip the change',
] as const
const hourMs = 3_600_000

/** One step on the program and on the model. @returns what is wrong */
const step = async (model: Model, who: { userId: string; name: string }, random: Random, turn: number): Promise<string | undefined> => {
  const now = () => t.clock.now().getTime()
  const expected = (): string => {
    if (model.shut !== 'no') return model.shut === 'locked' ? 'auth/account-held' : 'auth/account-disabled'
    return model.until !== undefined && model.until <= now() ? 'auth/one-time-expired' : 'ok'
  }
  const said = (reason: string | undefined): string => reason ?? 'ok'
  const command = random.pick(commands)
  switch (command) {
    case 'reset': {
      const answer = await resetByTwo([admin, colleague], who.userId)
      if (answer.status !== 200) return `reset → ${answer.status} ${answer.body.reason}`
      model.old.push(model.password)
      model.password = answer.body.data[0].password
      model.until = now() + 72 * hourMs
      model.tab = undefined
      return undefined
    }
    case 'log in': {
      const answer = await people.logIn(t, who.name, model.password)
      const outcome = said(answer.body.reason)
      if (outcome !== expected()) return `log in → ${outcome}, expected ${expected()}`
      if (outcome === 'ok') model.tab = { at: tabOf(answer), due: model.until !== undefined }
      return undefined
    }
    case 'log in with an old one': {
      const old = model.old.at(-1)
      // Three wrong tries at most between two right ones: the lock by tries is not what is looked at here.
      if (old === undefined || turn % 4 !== 0) return undefined
      const { status } = await people.logIn(t, who.name, old)
      return status === 200 ? 'an old password opened' : undefined
    }
    case 'change':
    case 'change without the old one': {
      if (!model.tab) return undefined
      const next = `green hill lantern ${turn}-${random.int(1_000_000)}`
      const from = command === 'change' ? model.password : ''
      const answer = await people.post(t, model.tab.at, '/blade-system/user/update-password', {
        oldPassword: from === '' ? '' : people.seal(from),
        newPassword: people.seal(next),
        newPassword1: people.seal(next),
      })
      if (command === 'change without the old one') return answer.status === 200 ? 'changed without the old password' : undefined
      if (answer.status !== 200) return `change → ${answer.status} ${answer.body.reason}`
      model.old.push(model.password)
      model.password = next
      model.until = undefined
      model.tab = { at: model.tab.at, due: false }
      return undefined
    }
    case 'wait':
      // Short of half an hour: whoever does nothing for so long is locked, which is another machine.
      t.clock.advance((model.tab ? 0.2 : 30) * hourMs)
      return undefined
    case 'shut': {
      if (model.shut !== 'no') return undefined
      const isLock = random.oneIn(2)
      const answer = isLock
        ? await admin.post('/blade-system/user/lock', { json: { userIds: who.userId, reason: '调查' } })
        : await admin.post('/blade-system/user/changeStatus', { json: { id: who.userId, status: 2 } })
      if (answer.status !== 200) return `shut → ${answer.status} ${answer.body.reason}`
      model.shut = isLock ? 'locked' : 'disabled'
      model.tab = undefined
      return undefined
    }
    case 'open': {
      if (model.shut === 'no') return undefined
      const answer =
        model.shut === 'locked'
          ? await admin.post('/blade-system/user/unlock', { json: { userIds: who.userId, reason: '本人确认' } })
          : await admin.post('/blade-system/user/changeStatus', { json: { id: who.userId, status: 1 } })
      if (answer.status !== 200) return `open → ${answer.status} ${answer.body.reason}`
      model.shut = 'no'
      return undefined
    }
    case 'look':
    case 'skip the change': {
      if (!model.tab) return undefined
      await t.app.catchUp()
      const { status, body } = await people.get(t, model.tab.at, '/blade-system/dept/list')
      const outcome = said(body.reason)
      if (model.tab.due) return outcome === 'kernel/password-due' ? undefined : `with a one-time password → ${status} ${outcome}`
      return outcome === 'kernel/password-due' ? 'a change is asked for that was made' : undefined
    }
  }
}

test(
  '[PF 60] no order of resets, log-ins, changes, locks and waiting skips a step of a new password',
  async () => {
    const failures = await runTrials('V10 reset of a password', { quick: 12, long: 400 }, async random => {
      t.clock.set('2026-03-17T10:00:00+08:00')
      const who = await people.account()
      const model: Model = { password: testPassword, until: undefined, shut: 'no', old: [], tab: undefined }
      for (let turn = 0; turn < 16; turn += 1) {
        const wrong = await step(model, who, random, turn)
        if (wrong !== undefined) return `step ${turn}: ${wrong}`
      }
      return undefined
    })
    expect(failures).toEqual([])
  },
  fuzzTimeoutMs,
)
