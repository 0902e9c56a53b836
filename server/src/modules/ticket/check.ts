import type { Label } from '#contract/kernel/label.ts'
import { maskName, maskTicketNo } from '#contract/kernel/mask.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { PublicPage } from '#kernel/http/public-page.ts'
import { findExam } from '#modules/exam/index.ts'
import { standingOf } from './data/eligible.repo.ts'
import { type TicketRow, ticketsOfToken } from './data/ticket.repo.ts'
import type { TicketContext } from './deps.ts'
import { seatBar } from './domain/seat-bar.ts'
import { ticketPage } from './templates/ticket-page.ts'

export interface TicketCheck {
  readonly isValid: boolean
  /** Why not. */
  readonly reason: Label | null
  readonly version: string
  readonly rows: readonly TicketRow[]
  readonly examName: string
}

/** `{tenantId}-{token}` of the QR (decision 4.6); a tenant id holds no hyphen, a token may. */
export const parseTicketCode = (code: string): { readonly tenantId: string; readonly token: string } | undefined => {
  const match = /^([0-9A-Za-z]{1,12})-([\w-]{43})$/.exec(code)
  return match?.[1] !== undefined && match[2] !== undefined ? { tenantId: match[1], token: match[2] } : undefined
}

/** What the code on a paper stands for today: paper cannot be recalled, so this is what counts (domain 7.2). */
export const checkTicketCode = async (db: TenantDb, token: string): Promise<TicketCheck | undefined> => {
  const rows = (await ticketsOfToken(db, token)).filter(row => row.releasedAt !== null)
  const [first] = rows
  const exam = first && (await findExam(db, first.examId))
  if (!first || !exam) return undefined
  const live = rows.filter(row => row.ticketState !== 'void')
  // Somebody who was turned away after the release holds a paper that looks right.
  const standing = await standingOf(db, first.signupId)
  const isEligible = standing !== undefined && seatBar(standing) === undefined
  const isOver = live.length > 0 && live.every(row => row.endTime <= db.now)
  const shown = live.length > 0 ? live : rows
  const pdfVersion = Math.max(...shown.map(row => row.pdfVersion))
  return {
    isValid: live.length > 0 && isEligible && !isOver,
    reason:
      live.length === 0
        ? { zh: '本准考证已作废', en: 'This ticket is void' }
        : !isEligible
          ? { zh: '持证人已不具备考试资格', en: 'The holder is no longer eligible' }
          : isOver
            ? { zh: '考试已结束', en: 'The examination is over' }
            : null,
    version: `v${Math.max(...shown.map(row => row.allotVersion))}${pdfVersion > 1 ? `.${pdfVersion}` : ''}`,
    rows: shown,
    examName: exam.examName,
  }
}

/** The public page behind the QR: masked identity and validity, nothing else. */
export const ticketCheckPage = ({ services }: TicketContext): PublicPage => ({
  path: '/t/:code',
  render: async ({ params, language }) => {
    const code = parseTicketCode(params['code'] ?? '')
    const now = services.clock.now()
    const check = code && (await services.scopes.tx(systemOf(code.tenantId), now, db => checkTicketCode(db, code.token)))
    const [first] = check?.rows ?? []
    if (!check || !first) return { status: 404, html: ticketPage(language, undefined) }
    return {
      status: 200,
      html: ticketPage(language, {
        isValid: check.isValid,
        reason: check.reason?.[language] ?? '',
        examName: check.examName,
        name: maskName(first.name),
        idCard: first.idCardMask,
        ticketNo: maskTicketNo(first.ticketNo),
        version: check.version,
        checkedAt: toWireTime(now),
      }),
    }
  },
})
