import { apartRoles } from '#contract/access/role.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import { type DeadlineKind, deadlineKinds, type HomeOfStaff, homeOfStaff, type TodoKey, todoKeys } from '#contract/person/home.routes.ts'
import { backupAgeSeconds } from '#kernel/backup/last-backup.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Handler, handle, type Session } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { userScope } from '#modules/access/index.ts'
import { claimableTasks } from '#modules/flow/index.ts'
import type { MessageModule } from '#modules/message/index.ts'
import { unitsFor } from '#modules/selection/index.ts'
import { groupsOf, isInReach, isOpenOfGroup, mayBeNarrowed, mayTake, unitsOf } from '#modules/signup/index.ts'
import { ticketScopeOf } from '#modules/ticket/index.ts'
import { countRooms, countWork, listDeadlines, menuPaths, moneyOfToday, readInstallation } from './data/home.repo.ts'

/** The menu that has each kind of work. */
const places: Readonly<Record<TodoKey, string>> = {
  tasks: '/work/todo',
  claims: '/work/claim',
  drafts: '/exam/examination',
  reviewFirst: '/examine/list',
  reviewSecond: '/examine/list',
  returned: '/examine/list',
  refunds: '/pay/payRefund',
  waivers: '/pay/feeWaiver',
  postings: '/pay/examPay',
  payAlarms: '/pay/payAlarm',
  unreconciled: '/pay/reconciliation',
  invoices: '/pay/invoice',
  ticketsToRelease: '/ticket/ticket',
  resultsToRelease: '/result/result',
  corrections: '/result/result',
  proposals: '/examine/signup',
  reductions: '/examine/reduction',
  approvals: '/examine/export',
  registrations: '/system/user',
  rechecks: '/examine/review',
  calls: '/examine/review',
  rooms: '/ticket/day',
  groupOpen: '/examine/group',
  alerts: '/monitor/alert',
  exports: '/monitor/audit',
}
/** Pages that no menu names: whoever does the work may open them. */
const withoutMenu: ReadonlySet<string> = new Set([places.approvals])
/** The code whose holder does the work; without it the line is not there at all. */
const codes: Readonly<Record<TodoKey, string>> = {
  tasks: 'work_todo_handle',
  claims: 'work_claim_sign',
  drafts: 'examination_release',
  reviewFirst: 'examine_first',
  reviewSecond: 'examine_second',
  returned: 'examine_view',
  refunds: 'exampay_approve',
  waivers: 'feewaiver_decide',
  postings: 'exampay_handleup',
  payAlarms: 'payalarm_close',
  unreconciled: 'reconciliation_handle',
  invoices: 'exampay_invoice',
  ticketsToRelease: 'ticket_release',
  resultsToRelease: 'result_release',
  corrections: 'result_edit',
  proposals: 'recheck_uphold',
  reductions: 'reduction_edit',
  approvals: 'signup_approve',
  registrations: 'user_audit',
  rechecks: 'recheck_decide',
  calls: 'recheck_decide',
  rooms: 'examday_mark',
  groupOpen: 'groupsignup_import',
  alerts: 'alert_handle',
  exports: 'auditlog_view',
}
/** Who follows what was returned: not everybody who may read it, as auditors do. */
const followers = ['examine_first', 'examine_second', 'signup_export']
interface Duties {
  readonly sites: readonly string[] | undefined
  readonly groups: readonly string[] | undefined
  readonly may: (code: string) => boolean
}
/** Work that only who is narrowed to sites or to schools has, or who deals with sign-ups. */
const isOwn = (key: TodoKey, { sites, groups, may }: Duties): boolean => {
  if (key === 'returned') return followers.some(may)
  return key === 'rooms' ? sites !== undefined : key === 'groupOpen' ? groups !== undefined : true
}

/** Who works towards an end, by the codes of that work, and the menus where they do it, the most fitting first. */
const ends: Readonly<Record<DeadlineKind, { readonly codes: readonly string[]; readonly menus: readonly string[] }>> = {
  signEnd: {
    codes: ['examination_edit', 'examine_first', 'signup_export', 'groupsignup_import'],
    menus: ['/examine/signup', '/examine/list', '/examine/group'],
  },
  modifyEnd: {
    codes: ['examination_edit', 'examine_first', 'examine_second', 'groupsignup_import'],
    menus: ['/examine/list', '/examine/group'],
  },
  examineEnd: { codes: ['examination_edit', 'examine_first', 'examine_second'], menus: ['/examine/list'] },
  payEnd: { codes: ['examination_edit', 'exampay_handleup', 'groupsignup_import'], menus: ['/pay/examPay', '/examine/group'] },
  adjustEnd: { codes: ['examination_edit', 'signup_export'], menus: ['/examine/reduction', '/examine/signup'] },
  ticketEnd: { codes: ['ticket_generate', 'ticket_print', 'groupsignup_import'], menus: ['/ticket/ticket', '/examine/group'] },
  msTicketEnd: { codes: ['ticket_generate', 'ticket_print'], menus: ['/ticket/ticket'] },
  paper: {
    codes: ['ticket_generate', 'examday_mark', 'recheck_decide', 'groupsignup_import'],
    menus: ['/ticket/day', '/examine/review', '/examine/group'],
  },
}
const deadlinesShown = 10

const sitesOf = (session: Session): readonly string[] | undefined => {
  const scope = ticketScopeOf(session)
  return scope !== undefined && 'sites' in scope ? scope.sites : undefined
}

/** How old the last good backup may be. */
export interface BackupRule {
  readonly maxHours: number
  /** Whether there has to be one: not in a demo. */
  readonly isNeeded: boolean
}
const hourSeconds = 3_600

const isAboveTenants = ({ tenantId, roleAliases }: Session): boolean =>
  tenantId === platformTenant && apartRoles.some(role => roleAliases.has(role))

const installationOf = async (db: TenantDb, now: Date, { maxHours, isNeeded }: BackupRule): Promise<HomeOfStaff['installation']> => {
  const { last, hold } = await readInstallation(db)
  const age = backupAgeSeconds(last, now)
  return {
    backupTime: last === undefined ? null : toWireTime(new Date(last.takenAt)),
    isBackupOld: age === undefined ? isNeeded : age > maxHours * hourSeconds,
    backupMaxHours: maxHours,
    restoredTime: hold === undefined ? null : toWireTime(new Date(hold.takenAt)),
  }
}

/** Five statements at most, six for whoever has a site, however many examinations there are. */
export const homeHandlers = (message: MessageModule, backups: BackupRule): Handler[] => [
  handle(homeOfStaff, async ({ ctx, db }): Promise<HomeOfStaff> => {
    const { session } = ctx
    const unreadCount = await message.countUnread(db)
    const serverTime = toWireTime(ctx.arrivedAt)
    if (session?.userType !== 1) return { serverTime, unreadCount, todos: [], deadlines: [], today: null, installation: null }
    const may = (code: string): boolean => session.permissions.has(code)
    const looker = {
      userId: session.userId,
      roleIds: session.roleIds,
      may,
      units: unitsOf(session),
      reviewUnits: unitsFor(session),
      runsExams: session.roleAliases.has('exam_admin'),
      inReach: mayBeNarrowed(session) ? isInReach(session.userId) : undefined,
      dues: rowScopeOf(session, examPay),
      people: userScope(session),
      sites: sitesOf(session),
      groups: groupsOf(session),
      takes: mayTake({ userId: session.userId, runsExams: session.roleAliases.has('exam_admin') }),
      unfinished: isOpenOfGroup,
      claimable: claimableTasks(db, [...session.roleIds, ...session.roleAliases]),
    }
    const [work, paths] = [await countWork(db, looker), await menuPaths(db, looker)]
    const rooms = looker.sites !== undefined && may(codes.rooms) ? await countRooms(db, looker.sites) : 0
    const kinds = deadlineKinds.filter(kind => ends[kind].codes.some(may))
    const deadlines = may('examination_view') ? await listDeadlines(db, kinds, deadlinesShown) : []
    // Whoever decides on refunds looks after the money; others who read dues do not begin their day with it.
    const money = may('exampay_approve') ? await moneyOfToday(db, looker.dues) : null
    const installation = isAboveTenants(session) ? await installationOf(db, ctx.arrivedAt, backups) : null
    return {
      serverTime,
      unreadCount,
      installation,
      today: money && {
        since: toWireTime(money.since),
        received: { count: money.received, fen: Number(money.receivedFen) },
        refunded: { count: money.refunded, fen: Number(money.refundedFen) },
      },
      todos: todoKeys
        .filter(key => may(codes[key]) && isOwn(key, looker))
        .map(key => {
          const { count = 0, oldest = null, examId = null, examName = null } = work.get(key) ?? {}
          const path = paths.has(places[key]) || withoutMenu.has(places[key]) ? places[key] : null
          return { key, count, ...(key === 'rooms' && { rooms }), oldestTime: oldest && toWireTime(oldest), examId, examName, path }
        }),
      deadlines: deadlines.flatMap(({ kind, time, ...row }) => {
        const known = deadlineKinds.find(one => one === kind)
        if (!known) return []
        return [{ ...row, kind: known, time: toWireTime(time), path: ends[known].menus.find(path => paths.has(path)) ?? null }]
      }),
    }
  }),
]
