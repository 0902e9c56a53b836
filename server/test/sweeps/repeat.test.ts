import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes, importKinds } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { roleAliases } from '../../seed/base/menus.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { sealFor } from '../support/login.ts'
import { callRoute, requiredInput } from '../support/route-calls.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const used = 'used-before-by-another-call'
/** Keys that were used by a call of another route, of whoever may ask. */
const spendKey = (of: TestTenant, userId: string) =>
  of.db(db =>
    db.run(sql`
      insert into idempotency (tenant_id, user_id, key, route, digest, status, answer)
      values (${of.tenantId}, ${userId}, ${used}, '/elsewhere', ${'0'.repeat(64)}, 200, '{"value": null}') on conflict do nothing`),
  )

/** Whoever a route lets through. */
const callerOf = (route: Route, people: Readonly<Record<string, Pick<Person, 'get' | 'post'>>>) => {
  const { access } = route
  if ('public' in access) return people['nobody']
  if ('guest' in access) return people['guest']
  if ('signedIn' in access) return people['staff']
  if ('platform' in access) return people['platform']
  return 'staff' in access ? people['staff'] : people['candidate']
}

describe('[19.19] Idempotency-Key', () => {
  /** Routes that keep the key themselves, each with the file of `server/test/platform` that proves it: a file comes first, or something is asked or done before. `repeat-own` tries every kind of import. */
  const elsewhere: Readonly<Record<string, string>> = {
    '/file/upload': 'repeat-own',
    '/blade-resource/oss/endpoint/put-file': 'repeat-own',
    '/blade-resource/oss/endpoint/put-file-by-name': 'repeat-own',
    '/blade-resource/oss/endpoint/put-file-detail': 'repeat-own',
    '/blade-resource/oss/endpoint/put-file-attach': 'repeat-own',
    '/blade-resource/oss/endpoint/put-file-attach-by-name': 'repeat-own',
    '/blade-signup/signup/submit': 'repeat-own',
    '/blade-exam/examination/handleUp': 'repeat-own',
    '/blade-exam/examination/backPay': 'repeat-own',
    '/blade-exam/examination/creTicketEnd': 'repeat-own',
    '/blade-exam/examination/releaseTickets': 'repeat-own',
  }

  const one = '999000111222333444'
  const number = '00000000-0000-4000-8000-000000000001'
  const day = { before: '2026-01-01' }
  /** What the least that a schema says is not enough for. */
  const shapes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    '/blade-signup/signup/savePostReductionInfoByExamId': {
      examId: '999000111222333444',
      rows: [{ code: 'A001', action: 2, afterNum: 0, reason: '-' }],
    },
    '/blade-signup/signup/joinPostReductionNameList': { signupIds: ['999000111222333444'], reductionId: '999000111222333444' },
    '/blade-signup/signup/removeNameList': { signupId: '999000111222333444', reason: '-' },
    '/blade-signup/signup/savePostReductionInfo': { signupId: '999000111222333444', choice: 2 },
    '/blade-flow/manager/change-state': { state: 'active' },
    '/blade-system/setup/leave-out': { step: 'payment' },
    '/blade-system/user/register-guest': { account: 'somebody' },
    '/blade-watch/alert/close': { outcome: 'finding' },
    '/blade-log/usual/purge': day,
    '/blade-log/api/purge': day,
    '/blade-log/error/purge': day,
    '/blade-system/auth-log/purge': day,
    '/blade-system/role/submit': { roleAlias: 'desk' },
    '/blade-system/role/grant': { menuIds: [one], dataScopeIds: [], apiScopeIds: [] },
    '/blade-system/region/submit': { code: '110101', parentCode: '110100' },
    '/blade-system/region/remove': { id: '110101', ids: '110101' },
    '/blade-system/topmenu/grant': { topMenuIds: [one], menuIds: [one] },
    '/blade-system/field-rule/submit': { rules: [] },
    '/blade-system/dict-biz/add-entries': { parentId: one },
    '/blade-system/dict/add-entries': { parentId: one },
    '/pay/wxpay/queryOrder': { orderNo: `E20260317100000${'A'.repeat(10)}` },
    '/blade-send/send/cancelOrder': { orderNo: `S20260317100000${'A'.repeat(10)}` },
    '/blade-exam/examination/closePayOrder': { orderNo: `E20260317100000${'A'.repeat(10)}` },
    '/blade-exam/examination/savePayAccount': { mchid: '1900000001', appid: `wx${'0'.repeat(16)}`, merchantSerial: 'A'.repeat(16) },
    '/blade-exam/examination/saveAlipayAccount': { appId: '2021000000000001', sellerId: '2088000000000001' },
    '/blade-exam/examination/saveNontaxAccount': {
      origin: 'https://nontax.example.gov.cn',
      appId: 'kaopu',
      unitCode: '330106001',
      itemCode: '103044308',
    },
    '/blade-exam/examination/cancelTicketRender': { renderId: one },
    '/blade-ticketNotice/ticketnotice/saveTicketDownInfo': { eid: one, itemId: one },
    '/blade-feeWaiver/feewaiver/ask': { examId: one, kind: 'disability', reason: '肢体残疾二级' },
    '/blade-ticket/accommodation/ask': { examId: one, kinds: 'room', reason: '使用轮椅出行' },
    '/blade-signup/signup/returnPhotos': { examId: one, signUpIds: one },
    '/blade-ticket/day/marks': { device: 'd', marks: [{ markId: number, ticketId: one, kind: 1, at: 0 }] },
    '/blade-ticket/day/violation': {
      ...{ violationId: number, ticketId: one, clause: '6-1', facts: '带手机进入考场', at: 0, device: 'd' },
      ...{ firstSigner: '监考甲', secondSigner: '监考乙' },
    },
    '/blade-exam/examination/releaseResults': { itemIds: one },
    '/blade-resource/oss/endpoint/make-bucket': { bucketName: 'papers' },
    '/blade-resource/oss/endpoint/remove-bucket': { bucketName: 'papers' },
    '/blade-system/setup/try': { step: 'clock' },
    '/blade-report/report/schedule': { cron: '', people: [one], linkDays: 7 },
  }

  test('every changing route looks at the key before it does anything: one that stands for another call is refused', async () => {
    const staff = await tenant.staff(roleAliases.filter(alias => !['candidate', 'administrator', 'secadmin', 'auditor'].includes(alias)))
    const auditor = await tenant.staff('auditor')
    const secadmin = await tenant.staff('secadmin')
    const platform = await t.platform().staff('administrator')
    const candidate = await tenant.candidate()
    const guest = await tenant.guest()
    for (const id of ['0', staff.userId, auditor.userId, secadmin.userId, candidate.userId]) await spendKey(tenant, id)
    await spendKey(t.platform(), platform.userId)
    const people = { nobody: t.anonymous(tenant.tenantId), staff, candidate, platform, guest }
    const known = {
      ...Object.fromEntries(
        [
          'id',
          'ids',
          'examId',
          'noticeId',
          'userIds',
          'userId',
          'itemId',
          'roleIds',
          'roleId',
          'dictIds',
          'signUpId',
          'payId',
          'payIds',
          'sessionId',
          'tenantIds',
          'modelId',
          'processId',
          'processDefinitionId',
          'processInstanceId',
          'deploymentIds',
          'taskId',
          'taskUser',
          'sendId',
          'packagesId',
          'callId',
          'signupId',
          'signupIds',
        ].map(name => [name, ['999000111222333444']]),
      ),
      password: [sealFor(t, 'x')],
    }
    const inputOf = (route: Route) => ({ ...requiredInput(route, known), ...shapes[route.path] })
    const strays: string[] = []
    let asked = 0
    for (const route of sweptRoutes) {
      if (route.method !== 'POST' || route.keyed === 'own' || route.rawBody || route.answer === 'file') continue
      let answer = await callRoute(callerOf(route, people) ?? staff, route, inputOf(route), known, { 'idempotency-key': used })
      for (const other of [secadmin, auditor, candidate])
        if (answer.status === 403) answer = await callRoute(other, route, inputOf(route), known, { 'idempotency-key': used })
      asked += 1
      if (answer.body?.reason !== 'kernel/idempotency-mismatch')
        strays.push(`${route.path} ${answer.status} ${answer.body?.reason} ${answer.body?.msg}`)
    }
    console.log(`repeat sweep: ${asked} routes`)
    expect(strays).toEqual([])
    if (isWhole) expect(asked).toBeGreaterThan(140)
  })

  test('every route that keeps the key itself has a test that repeats it, and no other route is said to have one', () => {
    const own = allRoutes().filter(route => route.keyed === 'own')
    expect(own.map(route => route.path).toSorted()).toEqual([...Object.keys(elsewhere), ...importKinds.map(({ path }) => path)].toSorted())
    for (const [path, file] of Object.entries(elsewhere)) {
      const text = readFileSync(new URL(`../platform/${file}.test.ts`, import.meta.url), 'utf8')
      const isNamed = text.includes(`${path}'`) || text.includes(`\${exam}${path.slice('/blade-exam/examination'.length)}\``)
      expect([path, isNamed, text.includes("'idempotency-key'")]).toEqual([path, true, true])
    }
  })
})
