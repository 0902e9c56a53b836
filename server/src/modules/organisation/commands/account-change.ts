import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import { subjectOf } from '#contract/kernel/proposals.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseUser } from '#contract/organisation/user.errors.ts'
import type { user } from '#contract/organisation/user.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { dueActTask, endAct, findLiveAct, type LiveAct, type Subject, seeLiveAct, twoPersonsOn, type Word } from '#kernel/two-persons.ts'
import { type AccountColumns, findLiving, holdersOfMenu, type LivingAccount, writeOpening } from '../data/user-admin.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { targetsOf } from './manage-users.ts'
import { changeWaitHours, dueTools, tellOwner } from './tell-owner.ts'

/** What somebody enters for another's account. Undefined: stays as it is; a phone of null: taken away. */
export interface Opening {
  readonly realName?: string | undefined
  readonly phone?: string | null | undefined
}
/** What waits, with what the account had when it was entered: a change made meanwhile is not overwritten. */
interface Entered extends Opening {
  readonly before: { readonly realName: string; readonly phoneIndex: string | null }
}

const kind = 'accountChange'
const task = 'organisation.apply-account-change'
const page = '/system/user'
const messages = {
  remark: { zh: '请填写驳回原因', en: 'Please say why it is refused' },
} satisfies Readonly<Record<string, Label>>

/** The account as it was when the change was entered. */
const subjectOfChange = ({ account, realName, phoneIndex }: LivingAccount): Subject => ({ account, realName, phoneIndex })

const placeOf = (rowId: string) => ({ table: 'two_person_act', column: 'content_sealed', rowId })

/** What waits for a second person or for its time. */
const openEntered = ({ services: { cipher } }: OrganisationDeps, tenantId: string, act: LiveAct): Entered => {
  if (act.content === null) throw new Error(`act ${act.id} has lost its content`)
  return JSON.parse(cipher.open(tenantId, placeOf(act.id), act.content)) as Entered
}

export const phoneColumns = (
  { services: { cipher } }: Pick<OrganisationDeps, 'services'>,
  tenantId: string,
  id: string,
  phone: string | null | undefined,
): AccountColumns =>
  phone === undefined
    ? {}
    : {
        phone_sealed: phone && cipher.seal(tenantId, { table: 'account', column: 'phone_sealed', rowId: id }, phone),
        phone_index: phone && cipher.blindIndex(tenantId, 'phone', phone),
        phone_mask: phone && maskPhone(phone),
        // Nobody but the owner proves a phone, so it opens no door until they have.
        phone_verified_at: null,
      }

const shown = ({ realName, phone }: Opening): Readonly<Record<string, unknown>> => ({
  ...(realName === undefined ? {} : { realName }),
  ...(phone === undefined ? {} : { phone: phone && maskPhone(phone) }),
})

/** What changes, in words. */
const whatOf = ({ realName, phone }: Opening): Label => {
  const zh = [...(realName === undefined ? [] : ['姓名']), ...(phone === undefined ? [] : ['手机号'])].join('、')
  const en = [...(realName === undefined ? [] : ['name']), ...(phone === undefined ? [] : ['mobile number'])].join(' and ')
  return { zh: `变更您账号的${zh}`, en: `a change of the ${en} of your account` }
}

const write = async (
  deps: OrganisationDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  account: LivingAccount,
  entered: Entered,
  persons: readonly string[],
): Promise<void> => {
  const { id } = account
  if (entered.before.realName !== account.realName || entered.before.phoneIndex !== account.phoneIndex)
    throw new Refused(refuse('kernel/changed-meanwhile', {}))
  await writeOpening(db, id, {
    ...(entered.realName === undefined ? {} : { real_name: entered.realName }),
    ...phoneColumns(deps, db.actor.tenantId, id, entered.phone),
  })
  await deps.auth.regrantSessions(db, [id])
  await audit(db, ctx, {
    action: 'account.verified-changed',
    entity: 'account',
    entityId: id,
    before: {
      ...(entered.realName === undefined ? {} : { realName: account.realName }),
      ...(entered.phone === undefined ? {} : { phone: account.phoneMask }),
    },
    after: { ...shown(entered), persons },
  })
}

/** What a word leaves to be done, for whoever gave it; undefined where the change is made. */
const follow = async (deps: OrganisationDeps, ctx: Ctx, db: TenantDb, account: LivingAccount, entered: Entered, word: Word) => {
  if (word.kind === 'go') {
    await write(deps, db, ctx, account, entered, [word.firstName, word.secondName])
    return undefined
  }
  if (word.kind === 'first') {
    await tellOwner(deps, db, { userId: account.id, of: subjectOf('account', account.id), what: whatOf(entered), round: ctx.traceId })
    const others = (await holdersOfMenu(db, 'user_edit')).filter(userId => userId !== account.id && userId !== ctx.session?.userId)
    await deps.message.notifyAll(db, others, {
      ...{ examId: null, kind: 7, link: `${page}/${account.id}`, eventKey: `account-change:${account.id}:${ctx.traceId}` },
      title: { zh: '账号变更待同意', en: 'A change of an account waits for a second person' },
      content: {
        zh: `账号 ${account.account} 的姓名或手机号变更须由另一人同意。`,
        en: `Another person has to agree to a new name or phone of the account ${account.account}.`,
      },
    })
    return {
      zh: '姓名或手机号的变更已提交，须由另一人同意后生效',
      en: 'The change of name or phone is proposed: another person has to agree',
    }
  }
  await enqueue(db, task, { id: account.id }, { runAt: word.applyAt, jobKey: `account-change-${account.id}` })
  const time = toWireTime(word.applyAt).slice(0, 16)
  return {
    zh: `两人已同意，变更于 ${time} 生效；在此之前本人可以反对`,
    en: `Two persons have agreed: it takes effect at ${time}, the owner may object until then`,
  }
}

/**
 * The gate of a change of what somebody else's account is opened with. The owner hears of it at the phone and in the account as they are now.
 * @returns why it has to wait; undefined where it is made
 */
export const proposeOpening = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  account: LivingAccount,
  opening: Opening | Entered,
  document?: string,
): Promise<Label | undefined> => {
  const { cipher } = deps.services
  const { tenantId } = db.actor
  const entered: Entered = { ...opening, before: { realName: account.realName, phoneIndex: account.phoneIndex } }
  const word = await twoPersonsOn(db, ctx, {
    ...{ kind, entityId: account.id, document },
    subject: subjectOfChange(account),
    args: {
      fields: Object.keys(shown(entered)).join(),
      // Whether the second person means the same, without saying what.
      content: cipher.blindIndex(
        tenantId,
        'account-change',
        JSON.stringify([entered.realName ?? null, entered.phone === undefined ? 0 : entered.phone]),
      ),
    },
    toldAt: await deps.message.toldAt(db, subjectOf('account', account.id)),
    waitHours: await changeWaitHours(db),
    content: actId => cipher.seal(tenantId, placeOf(actId), JSON.stringify(entered)),
  })
  return follow(deps, ctx, db, account, entered, word)
}

/** What is proposed for an account, as its administrators see it: the phone with its middle hidden. */
export const proposedOpening = async (deps: OrganisationDeps, ctx: Ctx, db: TenantDb, userId: string) => {
  const act = await seeLiveAct(db, kind, userId)
  if (!act) return undefined
  const { realName, phone } = openEntered(deps, ctx.tenantId, act)
  return {
    ...(realName === undefined ? {} : { realName }),
    ...(phone === undefined ? {} : { phone: phone === null ? '' : maskPhone(phone) }),
    document: act.document ?? '',
    firstUser: act.beganName,
    beganTime: toWireTime(act.beganAt),
    secondUser: act.secondName ?? '',
    applyTime: act.applyAt === null ? '' : toWireTime(act.applyAt),
    /** Whether the caller may be the second person. */
    mine: act.beganBy === ctx.session?.userId,
  }
}

/**
 * The second person's word for what somebody entered for an account, or a refusal of it, which everybody with the right may give.
 *
 * Refusals: those of `targetsOf`, user/no-change, kernel/two-persons-own, kernel/two-persons-other, kernel/two-persons-waits, kernel/changed-meanwhile.
 */
export const decideOpening = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  db: TenantDb,
  { id, state, remark = '', document }: InputOf<typeof user.decideChange>,
): Promise<{ waiting?: string }> => {
  const [target] = await targetsOf(ctx, db, [id])
  const account = await findLiving(db, id)
  const act = await findLiveAct(db, kind, id)
  if (!(target && account && act)) throw new Refused(refuseUser('user/no-change', {}))
  if (state === 2) {
    if (remark.trim() === '') throw new Refused(refuseField('remark', messages.remark))
    await endAct(db, ctx, kind, id, remark.trim())
    for (const userId of [act.beganBy, act.secondBy])
      if (userId && userId !== ctx.session?.userId)
        await deps.message.notify(db, {
          ...{ userId, examId: null, kind: 7, link: page, eventKey: `refused:${act.id}` },
          title: { zh: `账号 ${account.account} 的变更被驳回`, en: `The change of the account ${account.account} was refused` },
          content: { zh: remark.trim(), en: remark.trim() },
        })
    return {}
  }
  const why = await proposeOpening(deps, ctx, db, account, openEntered(deps, ctx.tenantId, act), document)
  return why ? { waiting: ctx.say(why) } : {}
}

export const applyOpeningTask = (deps: OrganisationDeps): Task =>
  dueActTask<LivingAccount>({
    ...dueTools(deps, 'account'),
    ...{ kind, task },
    hold: async (db, id) => {
      const account = await findLiving(db, id)
      if (!account) await endAct(db, undefined, kind, id, 'the account is gone')
      return account
    },
    subject: subjectOfChange,
    carryOut: (db, account, act) =>
      write(deps, db, undefined, account, openEntered(deps, db.actor.tenantId, act), [act.beganName, act.secondName ?? '']),
    stopped: { title: { zh: '账号变更未能生效', en: 'A change of an account could not take effect' }, link: page },
  })
