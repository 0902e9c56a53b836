import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { appealDetail, appealState, appeals, beginLostPhone, decideAppeal, sendAppeal } from '#contract/person/appeal.routes.ts'
import { appealMachine } from '#contract/person/appeal.state.ts'
import { audit } from '#kernel/audit.ts'
import { type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import { beginForLostPhone, decideOnAppeal, isConcerned, openedAppeal, openNumbers, sendOwnAppeal } from './commands/appeal.ts'
import { type AppealRow, findAppeal, listHeldSignups, listHolders, pageAppeals } from './data/appeal.repo.ts'
import type { PersonDeps } from './deps.ts'

const ownView = (row: AppealRow): OutputOf<typeof appealState> => ({
  no: row.no,
  kind: row.kind,
  state: appealMachine.wire[row.state],
  remark: row.remark,
  idCardMask: row.idCardMask,
  phoneMask: row.phoneMask,
  needsName: row.name === '',
})

const view = (row: AppealRow): OutputOf<typeof decideAppeal> => ({
  id: row.id,
  no: row.no,
  kind: row.kind,
  state: appealMachine.wire[row.state],
  realName: row.name,
  idCardMask: row.idCardMask,
  phoneMask: row.phoneMask,
  reason: row.reason,
  remark: row.remark,
  createTime: toWireTime(row.createdAt),
  checkTime: row.checkTime && toWireTime(row.checkTime),
  checkUser: row.checkUser,
  firstUser: row.firstUser,
  applyTime: row.applyAt && toWireTime(row.applyAt),
})

export const appealHandlers = (deps: PersonDeps): Handler[] => [
  handle(beginLostPhone, ({ ctx, input }) => beginForLostPhone(deps, ctx, input)),
  handle(appealState, ({ ctx, input }) =>
    ctx.asSystem('whoever appeals may have no account', async db => ownView(await openedAppeal(deps, db, input))),
  ),
  handle(sendAppeal, async ({ ctx, input }) => ownView(await sendOwnAppeal(deps, ctx, input))),
  handle(appeals, async ({ db, input }) => {
    const { current, size, offset, state, kind, keyword } = sliceOf(input)
    const filter = { kind, keyword, state: state === undefined ? undefined : stateOfWire(appealMachine, state) }
    const { rows, total } = await pageAppeals(db, filter, size, offset)
    return toPage(rows.map(view), total, current, size)
  }),
  handle(appealDetail, ({ ctx, input }) => {
    const session = sessionOf(ctx)
    return ctx.asSystem('accounts of candidates are compared with an appeal', async db => {
      const row = await findAppeal(db, input.id)
      if (!row || row.state === 'begun') throw new Refused(refuse('kernel/not-found', {}))
      const holders = row.state === 'waiting' ? (await listHolders(db, row)).filter(holder => isConcerned(row, holder)) : []
      // The person may ask who looked (P6).
      for (const holder of holders) await audit(db, ctx, { action: 'account.read', entity: 'account', entityId: holder.userId })
      await audit(db, ctx, { action: 'appeal.read', entity: 'identity_appeal', entityId: row.id })
      const files = await deps.file.findMany(db, row.proofFileIds)
      const reader = { tenantId: ctx.tenantId, userId: session.userId }
      return {
        ...view(row),
        idCard: openNumbers(deps, ctx.tenantId, row).idCard,
        holders: holders.map(({ userId, account, realName, idCardMask, phoneMask, createdAt }) => ({
          ...{ userId, account, realName, idCardMask: idCardMask ?? '', phoneMask: phoneMask ?? '' },
          registered: toWireTime(createdAt),
        })),
        signups: row.kind === 'number' && row.state === 'waiting' ? await listHeldSignups(db, row.idCardIndex, row.userId) : [],
        proofs: files.map(({ id, name, mime }) => ({ fileId: id, name, mime, link: deps.file.linkFor(reader, id, ctx.arrivedAt) })),
      }
    })
  }),
  handle(decideAppeal, async ({ ctx, input }) => view(await decideOnAppeal(deps, ctx, sessionOf(ctx), input))),
]
