import type { Label } from '#contract/kernel/label.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { DueEffect } from '#kernel/two-persons.ts'
import type { MessageModule } from '#modules/message/index.ts'
import { addressesOf, readParameters, readSite } from '#modules/tenancy/index.ts'
import type { Services } from '#server/services.ts'

type Tools = { readonly services: Services; readonly message: Pick<MessageModule, 'notify' | 'sendSmsTo'> }

/** Transactions of the system and notices, for effects that follow after the waiting time. */
export const dueTools = ({ services: { scopes, clock }, message }: Tools): Pick<DueEffect<never>, 'notify' | 'tx'> => ({
  notify: message.notify,
  tx: (tenantId, work) => scopes.tx(systemOf(tenantId), clock.now(), work),
})

const waitParameter = 'account.changeWaitHours'
const usualWaitHours = 24

/** Hours between telling the owner of an account and a change by others of what it is opened with. */
export const changeWaitHours = async (db: TenantDb): Promise<number> =>
  Number((await readParameters(db, [waitParameter]))[waitParameter] ?? usualWaitHours)

/** Short enough for a text message; nobody can guess it, and nothing of it is stored. */
const keyLength = 20
const keysOf = ({ cipher }: Services, tenantId: string, of: string): readonly string[] =>
  cipher.blindIndexes(tenantId, 'objection', of).map(key => key.slice(0, keyLength))

/** Whether a key objects to this change: one that was told under a former key does too. */
export const opensObjection = (services: Services, tenantId: string, of: string, key: string): boolean =>
  keysOf(services, tenantId, of).includes(key)

/**
 * Tells the owner of an account, at its phone and in the account, that somebody else is to change what it is opened with, and where to object.
 *
 * @param change.of - names the change to whoever objects: its kind and its row (`appeal-123`)
 * @param change.what - what is to change, as the end of “somebody asks for …”
 */
export const tellOwner = async (
  { services, message }: Tools,
  db: TenantDb,
  { userId, of, what, round }: { readonly userId: string; readonly of: string; readonly what: Label; readonly round?: string },
): Promise<void> => {
  const { tenantId } = db.actor
  const key = services.cipher.blindIndex(tenantId, 'objection', of).slice(0, keyLength)
  const path = `/register/object?of=${of}&key=${key}`
  const url = new URL(addressesOf(services, await readSite(db), tenantId).of('/register/object'))
  url.searchParams.set('of', of)
  url.searchParams.set('key', key)
  await message.sendSmsTo(db, { userId, examId: null }, 'account-change', { what: what.zh, link: url.href })
  await message.notify(db, {
    ...{ userId, examId: null, kind: 7, link: path, needSure: true, eventKey: `account-change:${of}:${round ?? ''}:${userId}` },
    title: { zh: '有人申请变更您的账号', en: 'Somebody asks for a change of your account' },
    content: {
      zh: `有人申请${what.zh}。须由两人审核，并在等待期之后才会生效。如不是您本人申请，请打开此消息反对，变更即停止。`,
      en: `Somebody asks for this: ${what.en}. Two persons decide, and it takes effect after a waiting time. If it was not you, open this message and object: it stops at once.`,
    },
  })
}
