import { toWireTime } from '#contract/kernel/when.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import { deadlineKinds, type HomeOfStaff, homeOfStaff, type TodoKey, todoKeys } from '#contract/person/home.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { userScope } from '#modules/access/index.ts'
import { claimableTasks } from '#modules/flow/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import { seesAllottedOnly, unitsOf } from '#modules/signup/index.ts'
import { countWork, listDeadlines, menuPaths } from './data/home.repo.ts'

/** The menu that has each kind of work. */
const places: Readonly<Record<TodoKey, string>> = {
  tasks: '/work/todo',
  claims: '/work/claim',
  drafts: '/exam/examination',
  reviewFirst: '/examine/list',
  reviewSecond: '/examine/list',
  returned: '/examine/list',
  refunds: '/pay/examPay',
  postings: '/pay/examPay',
  payAlarms: '/pay/payAlarm',
  invoices: '/pay/examPay',
  ticketsToRelease: '/ticket/ticket',
  resultsToRelease: '/result/result',
  corrections: '/result/result',
  registrations: '/system/user',
  alerts: '/monitor/alert',
}
/** The code whose holder does the work; without it the line is not there at all. */
const codes: Readonly<Record<TodoKey, string>> = {
  tasks: 'work_todo_handle',
  claims: 'work_claim_sign',
  drafts: 'examination_release',
  reviewFirst: 'examine_first',
  reviewSecond: 'examine_second',
  returned: 'examine_view',
  refunds: 'exampay_approve',
  postings: 'exampay_handleup',
  payAlarms: 'payalarm_close',
  invoices: 'exampay_invoice',
  ticketsToRelease: 'ticket_release',
  resultsToRelease: 'result_release',
  corrections: 'result_edit',
  registrations: 'user_audit',
  alerts: 'alert_handle',
}
const deadlinesShown = 10

/** Four statements, however many examinations there are. */
export const homeHandlers = (message: MessageModule): Handler[] => [
  handle(homeOfStaff, async ({ ctx, db }): Promise<HomeOfStaff> => {
    const { session } = ctx
    const unreadCount = await message.countUnread(db)
    const serverTime = toWireTime(ctx.arrivedAt)
    if (session?.userType !== 1) return { serverTime, unreadCount, todos: [], deadlines: [] }
    const may = (code: string): boolean => session.permissions.has(code)
    const looker = {
      userId: session.userId,
      roleIds: session.roleIds,
      may,
      units: unitsOf(session),
      runsExams: session.roleAliases.has('exam_admin'),
      isAllotted: seesAllottedOnly(session, { allotMode: 1 }),
      dues: rowScopeOf(session, examPay),
      people: userScope(session),
      claimable: claimableTasks(db, [...session.roleIds, ...session.roleAliases]),
    }
    const [work, paths] = [await countWork(db, looker), await menuPaths(db, looker)]
    const deadlines = may('examination_view') ? await listDeadlines(db, deadlinesShown) : []
    return {
      serverTime,
      unreadCount,
      todos: todoKeys
        .filter(key => may(codes[key]))
        .map(key => {
          const { count = 0, oldest = null, examId = null, examName = null } = work.get(key) ?? {}
          const path = paths.has(places[key]) ? places[key] : null
          return { key, count, oldestTime: oldest && toWireTime(oldest), examId, examName, path }
        }),
      deadlines: deadlines.flatMap(({ kind, time, ...row }) => {
        const known = deadlineKinds.find(one => one === kind)
        return known ? [{ ...row, kind: known, time: toWireTime(time) }] : []
      }),
    }
  }),
]
