import { platformTenant } from '#contract/kernel/platform.ts'
import { foreignLinks, variablesOf } from '#contract/message/wording.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import { takeFromBudget } from '../budget.ts'
import { settleRows } from '../data/balance.repo.ts'
import { finishTask } from '../data/send.repo.ts'
import {
  acceptSms,
  askLater,
  claimSms,
  deliverSms,
  failSms,
  findSms,
  freeSms,
  lockSms,
  markCounted,
  type SmsRow,
} from '../data/sms.repo.ts'
import { findSceneTemplate } from '../data/template.repo.ts'
import { inTenant, type MessageKit } from '../deps.ts'
import type { SmsService } from '../providers/accounts.ts'
import { problemText } from '../providers/problem-text.ts'
import type { SmsAnswer, SmsOrder, SmsReceipt } from '../providers/provider.ts'
import { isProductTemplate, registeredText } from '../templates/sms.ts'
import { raiseSmsAlarm } from './alarm.ts'
import { dailyBudget, tellOfBudget } from './budget-news.ts'
import { raiseSendProblem, sendsNothing } from './code-problem.ts'

const minuteMs = 60_000
/** Minutes after which a provider is asked about a message whose end is not known. What it does not know of then, it never got. */
const lostMinutes = [1, 3, 10] as const
/** Minutes between questions about a message that the provider has taken: nobody waits for the answer, and providers bound the questions. */
const receiptMinutes = [1, 5, 30, 180, 720, 1_440] as const
/** So often an unanswered question about a message of unknown end is put again before it counts as lost. */
const mostUnanswered = 12

const later = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * minuteMs)
export const firstReceipt = (now: Date): Date => later(now, receiptMinutes[0])

const phoneIn = ({ cipher }: Services, tenantId: string, row: SmsRow): string =>
  cipher.open(tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: row.id }, row.phone)

/** The template of a message at the provider: its own, the tenant's for the event, the platform's where its service sends, or none. */
const templateFor = async (
  kit: MessageKit,
  db: TenantDb,
  row: SmsRow,
  service: SmsService,
): Promise<Pick<SmsOrder, 'templateId' | 'signName' | 'params'> | { readonly unknown: string } | undefined> => {
  const given = (templateId: string, signName: string, content: string) => {
    const names = variablesOf(content)
    const unknown = names.find(name => !Object.hasOwn(row.params, name))
    return unknown === undefined
      ? { templateId, signName, params: names.map(name => [name, row.params[name] ?? ''] as const) }
      : { unknown }
  }
  if (row.templateId !== null) return { templateId: row.templateId, signName: service.signName, params: Object.entries(row.params) }
  const own = await findSceneTemplate(db, row.template)
  if (own && own.templateId !== '') return given(own.templateId, own.signName || service.signName, own.content)
  if (service.rowId !== null && service.ownerId === platformTenant) {
    const usual = await kit.sms.platformScene(row.template)
    if (usual) return given(usual.templateId, usual.signName || service.signName, usual.content)
  }
  // Whoever records needs no number; the names are those of the product's text.
  if (service.rowId !== null) return undefined
  return given('', '', isProductTemplate(row.template) ? registeredText(row.template, '') : '')
}

/** Whatever way a message took to here: a link leads to this installation. Its address is read for messages that have one. */
const leadsElsewhere = async (kit: MessageKit, db: TenantDb, { content, params }: SmsRow): Promise<boolean> => {
  const text = [content, ...Object.values(params)].join('\n')
  return foreignLinks(text, []).length > 0 && foreignLinks(text, await kit.deps.ownHosts(db)).length > 0
}

interface Claimed {
  readonly service: SmsService
  readonly order: SmsOrder
}

/** What is to be sent, with its parts taken from the budget and marked as given; undefined when it may not be, or was given before. */
const claim = async (kit: MessageKit, db: TenantDb, id: string, serviceId: string | undefined): Promise<Claimed | 'asked' | undefined> => {
  const row = await lockSms(db, id)
  if (row?.state !== 0) return undefined
  if (row.provider !== null) return 'asked'
  const service = (serviceId === undefined ? undefined : await kit.sms.of(db, serviceId)) ?? (await kit.sms.current(db))
  if (sendsNothing(kit, service)) {
    await failSms(db, id, 'ours', '没有启用的短信服务，短信未发出')
    await raiseSendProblem(kit, db.actor.tenantId, 'service')
    return undefined
  }
  if (await leadsElsewhere(kit, db, row)) {
    await failSms(db, id, 'ours', '短信含有指向其他地址的链接，未发出')
    return undefined
  }
  const template = await templateFor(kit, db, row, service)
  if (!template) {
    await failSms(db, id, 'ours', `模板 ${row.template} 未在短信服务商处报备`)
    await raiseSmsAlarm(kit, db, { kind: 'ours', code: 'TEMPLATE_NOT_REGISTERED', detail: `模板 ${row.template} 没有报备编号` }, service)
    return undefined
  }
  if ('unknown' in template) {
    // Words of an earlier release name what messages no longer have.
    const detail = `模板 ${row.template} 中的变量 ${template.unknown} 已不使用，请按“消息模板”中的说明修改并重新报备`
    await failSms(db, id, 'ours', detail)
    await raiseSmsAlarm(kit, db, { kind: 'ours', code: 'TEMPLATE_VARIABLE', detail }, service)
    return undefined
  }
  if (!row.isCounted) {
    const { may, news } = await takeFromBudget(db, row.segments, await dailyBudget(kit.deps, db))
    if (news) await tellOfBudget(kit.services, db, news)
    if (!may) {
      await failSms(db, id, 'budget', '当日短信额度已用完')
      return undefined
    }
    await markCounted(db, id)
  }
  await claimSms(db, id, service.provider.name, service.rowId)
  const order: SmsOrder = { ...template, phone: phoneIn(kit.services, db.actor.tenantId, row), requestId: id, content: row.content }
  return { service, order }
}

/** Writes what the provider said to a message that was given to it. */
const noteAnswer = async (kit: MessageKit, db: TenantDb, id: string, service: SmsService, answer: SmsAnswer): Promise<void> => {
  if (answer.ok) return acceptSms(db, id, answer.id, service.rowId === null ? null : firstReceipt(db.now))
  const { kind, code, detail } = answer
  if (kind === 'unknown') return askLater(db, id, later(db.now, lostMinutes[0]))
  if (kind === 'retry') return freeSms(db, id)
  await failSms(db, id, kind, problemText(answer).zh)
  if (kind === 'ours' || kind === 'account') await raiseSmsAlarm(kit, db, { kind, code, detail }, service)
}

/** What a question brought about a message: its end, or when to ask again. */
const noteReceipt = async (db: TenantDb, row: SmsRow, receipt: SmsReceipt): Promise<void> => {
  const { id, askCount } = row
  const isTaken = row.state === 1
  if (receipt.state === 'delivered') {
    if (!isTaken) await acceptSms(db, id, receipt.id, null)
    return deliverSms(db, id)
  }
  if (receipt.state === 'failed') return failSms(db, id, 'person', problemText({ kind: 'person', code: receipt.code }).zh)
  if (receipt.state === 'accepted' && !isTaken) return acceptSms(db, id, receipt.id, firstReceipt(db.now))
  if (isTaken) {
    const minutes = receiptMinutes[askCount + 1]
    return askLater(db, id, minutes === undefined ? null : later(db.now, minutes))
  }
  if (receipt.state === 'none' && askCount >= lostMinutes.length) return failSms(db, id, 'lost', '服务商没有收到这条短信，可重新发送')
  if (receipt.state === 'unknown' && askCount >= mostUnanswered) return failSms(db, id, 'lost', '服务商一直没有答复，是否送达不明')
  return askLater(db, id, later(db.now, lostMinutes[askCount] ?? 10))
}

/** Asks the provider that a message was given to what became of it. Nothing is sent. */
export const askAbout = async (kit: MessageKit, tenantId: string, id: string): Promise<void> => {
  const open = await inTenant(kit, tenantId, async db => {
    const row = await findSms(db, id)
    if (!row || row.state > 1 || row.provider === null || row.claimedAt === null) return undefined
    return { row, service: await kit.sms.of(db, row.providerRowId), phone: phoneIn(kit.services, tenantId, row), givenAt: row.claimedAt }
  })
  if (!open) return
  const { row, service, phone, givenAt } = open
  const receipt: SmsReceipt = service
    ? await service.provider.ask({ phone, requestId: id, id: row.providerId, givenAt })
    : { state: 'unknown', detail: 'the account is gone' }
  await inTenant(kit, tenantId, async db => {
    const now = await lockSms(db, id)
    // Somebody else has asked meanwhile.
    if (!now || now.state !== row.state || now.askCount !== row.askCount) return
    await noteReceipt(db, now, receipt)
    if (now.sendId === null) return
    await settleRows(db, now.sendId, [id])
    await finishTask(db, now.sendId)
  })
}

/**
 * Sends one message. One that was given to a provider before, by a run whose end is not known, is asked about instead. Throws where the provider has said
 * that it did not send and may be asked again.
 * @param serviceId by which service, on or not; without it by the one that is on
 */
export const deliver = async (
  kit: MessageKit,
  tenantId: string,
  id: string,
  isLast: boolean,
  serviceId?: string,
): Promise<SmsAnswer | undefined> => {
  const claimed = await inTenant(kit, tenantId, db => claim(kit, db, id, serviceId))
  if (claimed === undefined) return undefined
  if (claimed === 'asked') {
    await askAbout(kit, tenantId, id)
    return undefined
  }
  const { service, order } = claimed
  const answer = await service.provider.send(order)
  await inTenant(kit, tenantId, async db => {
    await noteAnswer(kit, db, id, service, answer)
    if (!answer.ok && answer.kind === 'retry' && isLast) {
      await failSms(db, id, 'lost', problemText(answer).zh)
      await raiseSmsAlarm(kit, db, { ...answer, kind: 'account' }, service)
    }
  })
  if (!answer.ok && answer.kind === 'retry' && !isLast) throw new Error(`the provider asks to try again: ${answer.code}`)
  return answer
}
