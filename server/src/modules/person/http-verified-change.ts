import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import {
  removeVerifiedChange,
  submitVerifiedChange,
  verifiedChangeDetail,
  verifiedChanges,
} from '#contract/person/verified-change.routes.ts'
import { verifiedChangeMachine } from '#contract/person/verified-change.state.ts'
import { audit } from '#kernel/audit.ts'
import { type Handler, handle, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { askForChange, decideOnChange, openNewValue, takeBack } from './commands/verified-change.ts'
import { findVerifiedChange, pageVerifiedChanges, type VerifiedChangeRow } from './data/verified-change.repo.ts'
import type { PersonDeps } from './deps.ts'

const isStaff = (session: Session): boolean => session.userType !== 2

const view = (row: VerifiedChangeRow, forStaff: boolean): OutputOf<typeof submitVerifiedChange> => ({
  id: row.id,
  field: row.field,
  oldMask: row.oldMask,
  newMask: row.newMask,
  reason: row.reason,
  state: verifiedChangeMachine.wire[row.state],
  remark: row.remark,
  createTime: toWireTime(row.createdAt),
  checkTime: row.checkTime && toWireTime(row.checkTime),
  proofCount: row.proofFileIds.length,
  userId: forStaff ? row.userId : null,
  account: forStaff ? row.account : null,
  realName: forStaff ? row.realName : null,
  userCode: forStaff ? row.userCode : null,
  checkUser: forStaff ? row.checkUser : null,
  firstUser: forStaff ? row.firstUser : null,
  applyTime: row.applyAt && toWireTime(row.applyAt),
})

export const verifiedChangeHandlers = (deps: PersonDeps): Handler[] => [
  handle(verifiedChanges, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const { current, size, offset, state, ...filter } = sliceOf(input)
    const { rows, total } = await pageVerifiedChanges(
      db,
      {
        ...filter,
        ...(state === undefined ? {} : { state: stateOfWire(verifiedChangeMachine, state) ?? 'waiting' }),
        ...(isStaff(session) ? {} : { userId: session.userId }),
      },
      size,
      offset,
    )
    return toPage(
      rows.map(row => view(row, isStaff(session))),
      total,
      current,
      size,
    )
  }),
  handle(verifiedChangeDetail, ({ ctx, input }) => {
    const session = sessionOf(ctx)
    return ctx.asSystem('its proofs are files of somebody else for staff', async db => {
      const row = await findVerifiedChange(db, input.id)
      if (!row || (!isStaff(session) && row.userId !== session.userId)) throw new Refused(refuse('kernel/not-found', {}))
      // The person may ask who looked (P6).
      if (isStaff(session)) await audit(db, ctx, { action: 'account.read', entity: 'account', entityId: row.userId })
      const files = await deps.file.findMany(db, row.proofFileIds)
      const reader = { tenantId: ctx.tenantId, userId: session.userId }
      return {
        ...view(row, isStaff(session)),
        newValue: isStaff(session) ? openNewValue(deps, row, ctx.tenantId) : null,
        proofs: files.map(file => ({
          fileId: file.id,
          name: file.name,
          mime: file.mime,
          link: deps.file.linkFor(reader, file.id, ctx.arrivedAt),
        })),
      }
    })
  }),
  handle(submitVerifiedChange, async ({ ctx, input }) => {
    const session = sessionOf(ctx)
    const row = isStaff(session) ? await decideOnChange(deps, ctx, input) : await askForChange(deps, ctx, session, input)
    return view(row, isStaff(session))
  }),
  handle(removeVerifiedChange, ({ ctx, input }) => takeBack(deps, ctx, sessionOf(ctx), input.ids.split(','))),
]
