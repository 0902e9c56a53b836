import type { Label } from '#contract/kernel/label.ts'
import { type Subject, subjectOf } from '#contract/kernel/proposals.ts'
import type { ObjectionKind } from '#contract/person/objection.routes.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { DueEffect } from '#kernel/two-persons.ts'
import type { MessageModule } from '#modules/message/index.ts'
import { addressesOf, readParameters, readSite } from '#modules/tenancy/index.ts'
import type { Services } from '#server/services.ts'
import { codesOf } from '../domain/objection-code.ts'

type Tools = { readonly services: Services; readonly message: Pick<MessageModule, 'notify' | 'tell' | 'toldAt'> }

/** Transactions of the system, notices, and whether the owner was told, for effects that follow after the waiting time. */
export const dueTools = (
  { services: { scopes, clock }, message }: Tools,
  of: ObjectionKind,
): Pick<DueEffect<never>, 'notify' | 'tx' | 'toldAt'> => ({
  notify: message.notify,
  toldAt: (db, id) => message.toldAt(db, subjectOf(of, id)),
  tx: (tenantId, work) => scopes.tx(systemOf(tenantId), clock.now(), work),
})

/** Since when the owner knows of a request that has a row of its own; one from before this was noted counts from its beginning. */
export const toldSince = async (
  { message }: Pick<Tools, 'message'>,
  db: TenantDb,
  of: ObjectionKind,
  row: { readonly id: string; readonly createdAt: Date },
): Promise<Date | null> => {
  const at = await message.toldAt(db, subjectOf(of, row.id))
  return at === undefined ? row.createdAt : at
}

const waitParameter = 'account.changeWaitHours'
const usualWaitHours = 24

/** Hours between telling the owner of an account and a change by others of what it is opened with. */
export const changeWaitHours = async (db: TenantDb): Promise<number> =>
  Number((await readParameters(db, [waitParameter]))[waitParameter] ?? usualWaitHours)

/**
 * Tells the owner of an account, at its phone and in the account, that somebody else is to change what it is opened with, and where to object.
 *
 * @param change.of - names the change to whoever objects: its kind and its row (`appeal-123`)
 * @param change.what - what is to change, as the end of “somebody asks for …”
 */
export const tellOwner = async (
  { services, message }: Tools,
  db: TenantDb,
  { userId, of, what, round }: { readonly userId: string; readonly of: Subject; readonly what: Label; readonly round?: string },
): Promise<void> => {
  const { tenantId } = db.actor
  const [key = ''] = codesOf(services.cipher, tenantId, of, addressesOf(services, await readSite(db), tenantId).tenant)
  await message.tell(db, {
    ...{ subject: of, template: 'account-change', params: { what: what.zh, key } },
    notice: {
      ...{
        userId,
        examId: null,
        kind: 7,
        link: `/register/object?code=${key}`,
        needSure: true,
        eventKey: `account-change:${of}:${round ?? ''}:${userId}`,
      },
      title: { zh: '有人申请变更您的账号', en: 'Somebody asks for a change of your account' },
      content: {
        zh: `有人申请${what.zh}。须由两人审核，并在等待期之后才会生效。如不是您本人申请，请打开此消息反对，变更即停止。`,
        en: `Somebody asks for this: ${what.en}. Two persons decide, and it takes effect after a waiting time. If it was not you, open this message and object: it stops at once.`,
      },
    },
  })
}
