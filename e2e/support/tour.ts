import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { RoleAlias } from '../../server/seed/base/menus.ts'
import { comeIn, type Visitor, visit } from './browser.ts'
import { calm } from './calm.ts'
import { openBackdoor } from './people.ts'
import { consolePaths, portalPaths, statusPaths } from './registry.ts'

export const travellers = ['nobody', 'staff', 'auditor', 'candidate'] as const
export type Who = (typeof travellers)[number]

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** One page of a tour over everything that can be opened. */
export interface Stop {
  /** The path as it is declared. */
  readonly pattern: string
  readonly path: string
  readonly who: Who
  /** The screen must be locked first. */
  readonly locked?: true
}

type Ask = Visitor['ask']

const examOf = async (ask: Ask): Promise<string> => {
  const { records } = await ask('/blade-exam/examination/page', { current: 1, size: 50 })
  // The one with the most sign-ups shows the most.
  const busiest = records.toSorted((a: { signCount?: number }, b: { signCount?: number }) => (b.signCount ?? 0) - (a.signCount ?? 0))[0]
  return String(busiest.id)
}

const openExamOf = async (ask: Ask): Promise<string> => {
  const { records } = await ask('/blade-signup/signup/examList', { current: 1, size: 10 })
  return String(records[0].examId ?? records[0].id)
}

/** A leave that was asked for, so that its pages have something to show. */
const leaveOf = async (ask: Ask): Promise<Readonly<Record<string, string>>> => {
  const { records } = await ask('/blade-flow/work/send-list', { current: 1, size: 1 })
  const { taskId, processInstanceId, businessId } = records[0]
  return { taskId, processInstanceId, businessId }
}
const definitionOf = async (ask: Ask): Promise<Readonly<Record<string, string>>> => {
  const { records } = await ask('/blade-flow/work/start-list', { current: 1, size: 10 })
  return { processDefinitionId: String(records[0].id) }
}

const firstOf =
  (list: string) =>
  async (ask: Ask): Promise<Readonly<Record<string, string>>> => {
    const { records } = await ask(list, { current: 1, size: 1 })
    return { id: String(records[0].id) }
  }

/** What stands for the `:names` of a path. A path with a name and no line here stops the tour: say how to find one. */
const samples: Readonly<Record<string, (ask: Ask) => Promise<Readonly<Record<string, string>>>>> = {
  '/flow/design/:id': async () => ({ id: 'new' }),
  '/flow/compare/:from/:to': async ask => {
    const { records } = await ask('/blade-flow/manager/list', { current: 1, size: 1 })
    return { from: String(records[0].id), to: String(records[0].id) }
  },
  '/tool/model/:id': firstOf('/blade-develop/model/list'),
  '/tool/code/:id': firstOf('/blade-develop/code/list'),
  '/stat/report/design/:id': async () => ({ id: 'new' }),
  '/work/process/leave/form/:processDefinitionId': definitionOf,
  '/work/process/general/form/:processDefinitionId': definitionOf,
  '/work/process/leave/handle/:taskId/:processInstanceId/:businessId': leaveOf,
  '/work/process/leave/detail/:processInstanceId/:businessId': leaveOf,
  '/work/process/general/handle/:taskId/:processInstanceId': leaveOf,
  '/work/process/general/detail/:processInstanceId': leaveOf,
  '/exam/examination/:id': async ask => ({ id: await examOf(ask) }),
  '/exam/edit/:id': async ask => ({ id: await examOf(ask) }),
  '/examine/signup/:id': async ask => {
    const { records } = await ask('/blade-signup/examine/getExamineList', { examId: await examOf(ask), current: 1, size: 1 })
    return { id: String(records[0].signupId ?? records[0].id) }
  },
  '/examine/work/:signupId': async ask => {
    const { records } = await ask('/blade-signup/examine/getExamineList', { examId: await examOf(ask), current: 1, size: 1 })
    return { signupId: String(records[0].signupId ?? records[0].id) }
  },
  '/pay/examPay/:id': firstOf('/blade-examPay/exampay/list'),
  '/pay/payOrder/:id': firstOf('/blade-payOrder/payorder/list'),
  '/pay/payRefund/:id': firstOf('/blade-payRefund/payrefund/list'),
  '/system/user/:id': firstOf('/blade-system/user/page'),
  '/ticket/seats/:examId/:itemId': async ask => {
    const examId = await examOf(ask)
    const papers = await ask('/blade-exam/examination/findTicketItems', { examId })
    return { examId, itemId: String(papers[0].itemId) }
  },
  '/notices/:id': async ask => {
    const { records } = await ask('/blade-exam/examination/getNoticeList', { current: 1, size: 1 })
    return { id: String(records[0].id) }
  },
  '/news/:id': async ask => {
    const { records } = await ask('/news/list', { current: 1, size: 1 })
    return { id: String(records[0].id) }
  },
  '/signup/examPay/:payId': async ask => ({ payId: String((await ask('/blade-exam/examination/getMyPayList', {}))[0].id) }),
  '/signup/exam/:examId': async ask => ({ examId: await openExamOf(ask) }),
  '/signup/form/:examId': async ask => ({ examId: await openExamOf(ask) }),
}

const resolve = async (pattern: string, ask: Ask): Promise<string> => {
  if (!pattern.includes(':')) return pattern
  const find = samples[pattern]
  if (find === undefined) throw new Error(`${pattern} has a parameter: add to samples in e2e/support/tour.ts how to find one`)
  const values = await find(ask)
  return pattern.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''))
}

/**
 * Roles that together see the whole console without being narrowed to a unit, a site or a school. Of admin, secadmin and auditor one
 * person holds one (domain 2.1).
 */
const wideRoles: readonly RoleAlias[] = ['administrator', 'admin', 'exam_admin', 'reviewer1', 'reviewer2', 'recheck', 'finance']

/** Pages that none of those roles may open. */
const auditorsOnly: ReadonlySet<string> = new Set(['/monitor/audit', '/monitor/alert', '/monitor/watchRule'])

/** Pages of the portal for people who are not logged in. */
const isDoor = (path: string): boolean => /^\/register(\/|$)/.test(path)

/** Who opens which page, by the path as it is declared. */
export const planTour = async (): Promise<readonly (readonly [who: Who, pattern: string])[]> => [
  ['nobody', '/login'],
  ...portalPaths()
    .filter(isDoor)
    .map(path => ['nobody', path] as const),
  ...(await consolePaths()).map(path => [auditorsOnly.has(path) ? 'auditor' : 'staff', path] as const),
  ...statusPaths().map(path => ['staff', path] as const),
  ...portalPaths()
    .filter(path => !isDoor(path))
    .map(path => ['candidate', path] as const),
  ['candidate', '/nowhere'],
]

export interface Tour {
  readonly stops: readonly Stop[]
  readonly people: Readonly<Record<Who, Visitor>>
  /** Opens the page of a stop and waits until it has what it shows. */
  open(stop: Stop): Promise<Page>
}

interface DemoAccount {
  readonly account: string
  readonly password: string
  readonly tenantId: string
}

/** Four visitors of a demo server, and every page that one of them can see. */
export const openTour = async (
  browser: Browser,
  server: { readonly url: string; readonly dataDir: string },
  screen?: 'desktop' | 'phone',
): Promise<Tour> => {
  const backdoor = await openBackdoor(server.dataDir)
  // A tour may come twice to the same server.
  const everyone = `tour${Date.now().toString(36)}`
  const auditor = `${everyone}a`
  await backdoor.addStaff([
    { account: everyone, realName: '全览', roles: wideRoles },
    { account: auditor, realName: '审计', roles: ['auditor'] },
  ])
  await backdoor.close()
  const accounts = JSON.parse(await readFile(join(server.dataDir, 'demo-accounts.json'), 'utf8')) as readonly DemoAccount[]
  const candidate = accounts.find(one => one.account === 'candidate1' && one.tenantId === '000000')
  if (candidate === undefined) throw new Error('the demo has no candidate1')
  // First, because it takes seconds to load the programs: a connection that idles as long as the server keeps one is closed under the next call.
  const plan = await planTour()
  const people = {
    nobody: await visit(browser, server.url, { name: 'nobody', screen: screen ?? 'desktop' }),
    staff: await visit(browser, server.url, { name: 'staff', screen: screen ?? 'desktop' }),
    auditor: await visit(browser, server.url, { name: 'auditor', screen: screen ?? 'desktop' }),
    candidate: await visit(browser, server.url, { name: 'candidate', screen: screen ?? 'phone' }),
  }
  await comeIn(people.staff, everyone)
  const { records: processes } = await people.staff.ask('/blade-flow/work/start-list', { current: 1, size: 10 })
  const leave = processes.find((one: { route: string }) => one.route === 'leave')
  const [approver] = await people.staff.ask('/blade-flow/work/people', { keyword: auditor })
  await people.staff.tell('/blade-desk/process/leave/start-process', {
    processDefinitionId: leave.id,
    taskUser: approver.id,
    // Within the year that a leave may begin in, and longer than the public holidays.
    startTime: `${inDays(14)} 09:00:00`,
    endTime: `${inDays(28)} 18:00:00`,
    reason: '探亲',
  })
  await comeIn(people.auditor, auditor)
  await comeIn(people.candidate, candidate.account, candidate.password)
  const stops = await Promise.all(
    plan.map(
      async ([who, pattern]): Promise<Stop> => ({
        pattern,
        who,
        path: await resolve(pattern, people[who].ask),
        ...(pattern === '/lock' ? { locked: true as const } : {}),
      }),
    ),
  )
  let wasLocked = false
  return {
    stops,
    people,
    open: async ({ who, path, locked }) => {
      const { page } = people[who]
      if (locked || wasLocked) await setLocked(page, locked === true)
      wasLocked = locked === true
      await page.goto(path)
      await whole(page)
      return page
    },
  }
}

/** The screen's own memory of being locked; the server is not asked, so that the tour goes on afterwards. */
const setLocked = async (page: Page, locked: boolean): Promise<void> => {
  await page.evaluate(`(() => {
    const text = localStorage.getItem('kaopu-session')
    if (text !== null) localStorage.setItem('kaopu-session', JSON.stringify({ ...JSON.parse(text), locked: ${locked} }))
  })()`)
}

/** The page is there: it has its heading, no skeleton is left, and no call is on its way. */
export const whole = async (page: Page): Promise<void> => {
  await calm(page)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const waiting = ['.skeleton', '.p-skel', '.row-skeleton', '[data-busy="true"]', '.sk'].map(one => `${one}:visible`).join(', ')
  await page.locator(waiting).first().waitFor({ state: 'hidden' })
  await calm(page)
}

/** Writes entries of the browser's storage, and has the page hear of it as of a choice in another tab. */
export const tell = (page: Page, entries: Readonly<Record<string, unknown>>): Promise<unknown> =>
  page.evaluate(`(() => {
    for (const [name, value] of Object.entries(${JSON.stringify(entries)})) {
      localStorage.setItem('kaopu-' + name, JSON.stringify(value))
      dispatchEvent(new StorageEvent('storage', { key: 'kaopu-' + name }))
    }
  })()`)
