import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { ObjectionKind } from '#contract/person/objection.routes.ts'
import { refusePerson } from '#contract/person/person.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { endAct, findLiveAct, type LiveAct } from '#kernel/two-persons.ts'
import { openCode } from '#modules/organisation/index.ts'
import { lockAppeal } from '../data/appeal.repo.ts'
import { lockVerifiedChange } from '../data/verified-change.repo.ts'
import type { PersonDeps } from '../deps.ts'
import { finish } from './appeal.ts'
import { decideNow } from './verified-change.ts'

interface Named {
  readonly code: string
}
interface Standing {
  readonly kind: ObjectionKind
  readonly open: boolean
}

const acts = {
  appeal: 'appeal',
  change: 'verifiedChange',
  account: 'accountChange',
  password: 'passwordReset',
  factor: 'secondFactorReset',
} as const
const why: Label = {
  zh: '账号现在的使用者提出反对，请持有效证件原件到现场办理',
  en: 'The present user of the account has objected; come in person with the original of an identity document',
}

/** The change that a code opens. Refusals: kernel/not-found. */
const opened = ({ services }: PersonDeps, db: TenantDb, { code }: Named): { readonly kind: ObjectionKind; readonly id: string } => {
  const found = openCode(services.cipher, db.actor.tenantId, code)
  if (!found) throw new Refused(refuse('kernel/not-found', {}))
  return found
}

const isOpen = async (db: TenantDb, kind: ObjectionKind, id: string): Promise<boolean> => {
  if (kind === 'appeal') return (await lockAppeal(db, id))?.state === 'waiting'
  if (kind === 'change') return (await lockVerifiedChange(db, id))?.state === 'waiting'
  return (await findLiveAct(db, acts[kind], id)) !== undefined
}

export const standingOf = async (deps: PersonDeps, db: TenantDb, named: Named): Promise<Standing> => {
  const { kind, id } = opened(deps, db, named)
  return { kind, open: await isOpen(db, kind, id) }
}

const tellStaff = async (deps: PersonDeps, db: TenantDb, act: LiveAct): Promise<void> => {
  for (const userId of [act.beganBy, act.secondBy])
    if (userId)
      await deps.message.notify(db, {
        ...{ userId, examId: null, kind: 7, link: '/', eventKey: `objected:${act.id}` },
        title: { zh: '账号变更被本人反对，已停止', en: 'The owner objected to a change of the account: it was stopped' },
        content: why,
      })
}

/** Stops the change. A request from the own session was not the owner's: every session of the account ends. */
export const object = async (
  deps: PersonDeps,
  db: TenantDb,
  ctx: Ctx,
  named: Named,
): Promise<Standing & { readonly no: string; readonly time: string }> => {
  const { kind, id } = opened(deps, db, named)
  const act = await findLiveAct(db, acts[kind], id)
  if (!(await isOpen(db, kind, id))) throw new Refused(refusePerson('person/objection-closed', {}))
  await endAct(db, ctx, acts[kind], id, 'objected')
  if (act) await tellStaff(deps, db, act)
  if (kind === 'appeal') {
    const row = await lockAppeal(db, id)
    if (row) await finish(deps, db, ctx, row, { event: 'refuse', userId: '0', remark: why.zh })
  } else if (kind === 'change') {
    const row = await lockVerifiedChange(db, id)
    if (row) {
      const open = await deps.flow.findOpen(db, 'verified_change', id)
      if (open) await deps.flow.withdraw(db, ctx, open.instanceId)
      await decideNow(deps, ctx, db, row, 'refuse', why.zh, { userId: '0' })
      await deps.auth.endSessionsOf(db, row.userId, 'objected')
    }
  }
  await audit(db, ctx, { action: 'appeal.objected', entity: 'two_person_act', entityId: act?.id ?? null, after: { kind, of: id } })
  return { kind, open: false, no: act?.id ?? id, time: toWireTime(ctx.arrivedAt) }
}
