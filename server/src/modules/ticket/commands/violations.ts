import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { decideViolation, fileViolation, violationList, violationOne } from '#contract/ticket/exam-day.routes.ts'
import { refuseTicket } from '#contract/ticket/ticket.errors.ts'
import { stateOfViolation, violationMachine } from '#contract/ticket/violation.state.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { proposeIntegrity } from '#modules/signup/index.ts'
import { addViolation, filedBefore, findViolation, lockViolation, pageViolations, type ViolationRow } from '../data/exam-day.repo.ts'
import { findTicket } from '../data/ticket.repo.ts'
import type { TicketContext } from '../deps.ts'
import { me, scopeOf } from '../views.ts'

const clauses = 'violation_clause'

/** Files a form that was filled in and signed in the room. A device sends it again when it heard no answer: it is filed once. */
export const file = async (context: TicketContext, ctx: Ctx, input: InputOf<typeof fileViolation>): Promise<{ id: string }> =>
  ctx.tx(async db => {
    await lock(db, `violation|${input.violationId}`)
    const before = await filedBefore(db, input.violationId)
    if (before) return before
    const ticket = await findTicket(db, input.ticketId, scopeOf(ctx.session))
    if (!ticket || ticket.releasedAt === null) throw new Refused(refuse('kernel/not-found', {}))
    const known = (await readDictionaries(db, [clauses]))[clauses] ?? []
    if (!known.some(entry => entry.key === input.clause))
      throw new Refused(refuseField('clause', { zh: '没有这个违纪条款', en: 'There is no such clause' }))
    if (input.firstSigner.trim() === input.secondSigner.trim())
      throw new Refused(refuseField('secondSigner', { zh: '两名监考员须为不同的人', en: 'The two invigilators must be two people' }))
    const keep = async (part: string): Promise<string[]> => {
      const ids: string[] = []
      for (const upload of ctx.files.filter(one => one.part === part)) {
        const of = { file: upload, userId: me(ctx), ownerKind: 'exam_violation', ownerId: ticket.id, purpose: 'image' } as const
        ids.push((await context.file.keepUpload(db, of)).id)
      }
      return ids
    }
    const [[firstSignature], [secondSignature]] = [await keep('firstSignature'), await keep('secondSignature')]
    if (firstSignature === undefined || secondSignature === undefined) throw new Refused(refuseTicket('ticket/two-signatures', {}))
    const { violationId, clause, facts, firstSigner, secondSigner, device } = input
    const added = await addViolation(db, {
      ...{ violationId, clause, facts, firstSigner, secondSigner, device, firstSignature, secondSignature },
      ...{ examId: ticket.examId, itemId: ticket.itemId, ticketId: ticket.id },
      happenedAt: new Date(Math.min(input.at, ctx.arrivedAt.getTime())),
      evidence: await keep('evidence'),
    })
    await audit(db, ctx, { action: 'violation.filed', entity: 'ticket', entityId: ticket.id, after: { id: added.id, clause } })
    return added
  })

const view = ({
  examId: _,
  ticketId: __,
  firstSignature: ___,
  secondSignature: ____,
  evidence: _____,
  filedById: ______,
  ...row
}: ViolationRow) => {
  const { happenedAt, filedAt, decidedAt, state, ...rest } = row
  return {
    ...rest,
    state: violationMachine.wire[state],
    happenedTime: toWireTime(happenedAt),
    filedTime: toWireTime(filedAt),
    decidedTime: decidedAt === null ? null : toWireTime(decidedAt),
  }
}

export const listViolations = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof violationList>) => {
  const { current, size, offset, state, ...of } = sliceOf(input)
  const filter = { ...of, state: state === undefined ? undefined : stateOfViolation(state), scope: scopeOf(ctx.session) }
  const { rows, total } = await pageViolations(db, filter, size, offset)
  return toPage(rows.map(view), total, current, size)
}

/** One form with its pictures; that somebody looked is in the trail. */
export const readViolation = async (
  context: TicketContext,
  ctx: Ctx,
  db: TenantDb,
  id: string,
): Promise<OutputOf<typeof violationOne> | Refusal> => {
  const row = await findViolation(db, id, scopeOf(ctx.session))
  if (!row) return refuse('kernel/not-found', {})
  await audit(db, ctx, { action: 'violation.read', entity: 'ticket', entityId: row.ticketId, after: { id } })
  const link = (fileId: string) => context.file.linkFor({ tenantId: ctx.tenantId, userId: me(ctx) }, fileId, ctx.arrivedAt)
  return { ...view(row), evidence: row.evidence.map(link), signatures: [link(row.firstSignature), link(row.secondSignature)] }
}

/** Decides about a form, with reasons and by a second person. What was confirmed stands in the empty workbook of results as 违纪, and is
 * proposed for the archive of integrity. */
export const decide = async (
  context: TicketContext,
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<typeof decideViolation>,
): Promise<OutputOf<typeof decideViolation> | Refusal> => {
  await lockViolation(db, input.id)
  const row = await findViolation(db, input.id, scopeOf(ctx.session))
  if (!row) return refuse('kernel/not-found', {})
  if (input.version !== undefined && input.version !== row.version) return refuse('kernel/changed-meanwhile', {})
  const to = step(violationMachine, row.state, input.outcome === 1 ? 'confirm' : 'dismiss')
  if (to === undefined) return refuseTicket('ticket/violation-decided', {})
  if (row.filedById === me(ctx)) return refuseTicket('ticket/violation-own', {})
  const set = { decision: input.decision, decided_by: me(ctx), decided_at: db.now }
  if (!(await transition(db, 'exam_violation', row.id, { from: row.state, to }, set))) return refuseTicket('ticket/violation-decided', {})
  await audit(db, ctx, {
    action: 'violation.decided',
    entity: 'ticket',
    entityId: row.ticketId,
    after: { id: row.id, state: to },
    reason: input.decision,
  })
  if (to === 'confirmed') {
    const ticket = await findTicket(db, row.ticketId, scopeOf(ctx.session))
    const clause = (await readDictionaries(db, [clauses]))[clauses]?.find(entry => entry.key === row.clause)?.zh ?? row.clause
    if (ticket)
      await proposeIntegrity(context, db, ctx, {
        ...{ signupId: ticket.signupId, source: 'violation', sourceId: row.id },
        reason: `${row.itemName}：${clause}（${row.facts}）`.slice(0, 1_200),
      })
  }
  return { id: row.id, state: violationMachine.wire[to] }
}
