import { refuse } from '#contract/kernel/errors.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { longestValue } from '#contract/message/fit.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import { refuseSend } from '#contract/message/send.errors.ts'
import { foreignLinks, smsSegments } from '#contract/message/wording.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { audit } from '#kernel/audit.ts'
import { newId } from '#kernel/db/new-id.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { endAct, findLiveAct, passAlone, twoPersonsOn } from '#kernel/two-persons.ts'
import { findServiceByCode } from '../data/service.repo.ts'
import { insertTrial, provenPhoneOf } from '../data/sms.repo.ts'
import type { MessageKit } from '../deps.ts'
import { problemText } from '../providers/problem-text.ts'
import type { SmsAnswer } from '../providers/provider.ts'
import { deliver } from './deliver.ts'

const sample = '{"code":"123456"}'
/** Numbers of one call: it is for trying, those who send to many use the sending screen. */
const mostPhones = 20

const paramsOf = (text: string): Readonly<Record<string, string>> | undefined => {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries = Object.entries(value)
    return entries.every(([, one]) => typeof one === 'string' || typeof one === 'number')
      ? Object.fromEntries(entries.map(([name, one]) => [name, String(one)]))
      : undefined
  } catch {
    return undefined
  }
}

const said = (ctx: Ctx, answers: readonly (SmsAnswer | undefined)[]): { success: boolean; code: string; msg: string } => {
  const bad = answers.find(answer => answer === undefined || !answer.ok)
  if (answers.every(answer => answer?.ok))
    return { success: true, code: 'OK', msg: ctx.say({ zh: '服务商已受理', en: 'The provider has taken it' }) }
  if (bad === undefined || bad.ok)
    return {
      success: false,
      code: 'REFUSED',
      msg: ctx.say({ zh: '未发出，请在发送记录中查看原因', en: 'Not sent: the list of messages says why' }),
    }
  if (bad.kind === 'unknown')
    return {
      success: false,
      code: bad.code,
      msg: ctx.say({
        zh: '服务商没有答复，稍后自动查询是否发出',
        en: 'The provider has not answered; it will be asked whether it was sent',
      }),
    }
  const why = problemText(bad)
  return { success: false, code: bad.code, msg: ctx.say({ zh: `服务商拒绝：${why.zh}`, en: `Refused by the provider: ${why.en}` }) }
}

/**
 * Sends the template of a service, on or not: it is tried before it is switched on. Tells what the provider said. To other numbers than the caller’s own proven one the
 * same is sent by two persons.
 */
export const testSend = async (
  kit: MessageKit,
  ctx: Ctx,
  input: { readonly code: string; readonly phones: string; readonly params?: string | undefined },
): Promise<{ success: boolean; code: string; msg: string } | Refusal> => {
  const params = paramsOf(input.params ?? '')
  if (!params) return refuseMessage('sms/params', { sample })
  const long = Object.keys(params).filter(name => (params[name] ?? '').length > longestValue)
  if (long.length > 0) return refuseSend('send/value-length', { names: long.join('、'), most: String(longestValue) })
  const [strange] = foreignLinks(Object.values(params).join('\n'), await ctx.tx(kit.deps.ownHosts))
  if (strange !== undefined) return refuseMessage('sms/link', { link: strange })
  const typed = input.phones.split(/[,，;；\n]/).filter(one => one.trim() !== '')
  const phones: string[] = []
  for (const one of typed) {
    const checked = checkMobile(one)
    if (!checked.ok) return refuseMessage('sms/phones', { phone: one.trim().slice(0, 30), why: mobileMessages[checked.problem] })
    if (!phones.includes(checked.mobile)) phones.push(checked.mobile)
  }
  if (phones.length === 0) return refuseMessage('sms/phones', { phone: '', why: mobileMessages.required })
  if (phones.length > mostPhones)
    return refuseMessage('sms/phones', {
      phone: phones[mostPhones] ?? '',
      why: { zh: `一次最多 ${mostPhones} 个号码`, en: `at most ${mostPhones} numbers at once` },
    })
  const given = await ctx.tx(async db => {
    const service = await findServiceByCode(db, input.code)
    if (!service) return refuse('kernel/not-found', {})
    const index = (value: string) => kit.services.cipher.blindIndex(ctx.tenantId, 'phone', value)
    const own = await provenPhoneOf(db, sessionOf(ctx).userId)
    if (phones.every(phone => index(phone) === own)) passAlone(db, 'trialMessage', 'own')
    else {
      const content = index(JSON.stringify([[...phones].sort(), Object.entries(params).sort()]))
      // Whoever entered it first enters it anew.
      const live = await findLiveAct(db, 'trialMessage', service.id)
      if (live?.beganBy === sessionOf(ctx).userId) await endAct(db, ctx, 'trialMessage', service.id, 'entered anew')
      const word = await twoPersonsOn(db, ctx, {
        ...{ kind: 'trialMessage', entityId: service.id },
        subject: { template: service.templateId, sign: service.signName },
        args: { template: service.templateId, phones: phones.map(maskPhone).sort().join(), content },
      })
      if (word.kind === 'first') return { waits: true } as const
    }
    const made: string[] = []
    for (const phone of phones) {
      const id = await newId(db)
      const content = `【${service.signName}】${service.templateId} ${JSON.stringify(params)}`.slice(0, 500)
      const phoneSealed = kit.services.cipher.seal(ctx.tenantId, { table: 'sms_message', column: 'phone_sealed', rowId: id }, phone)
      await insertTrial(db, {
        id,
        userId: null,
        examId: null,
        template: 'test',
        phoneSealed,
        phoneMask: maskPhone(phone),
        content,
        segments: smsSegments(content),
        params,
        templateId: service.templateId,
      })
      made.push(id)
    }
    await audit(db, ctx, {
      action: 'sms.tested',
      entity: 'sms',
      entityId: service.id,
      after: { phones: phones.map(maskPhone), template: service.templateId },
    })
    return { serviceId: service.id, made }
  })
  if (isRefusal(given)) return given
  if ('waits' in given)
    return {
      success: true,
      code: 'WAITING',
      msg: ctx.say({
        zh: '已提交，尚未发送：须由另一人按相同内容再发一次（发给本人已验证的手机号不需要）',
        en: 'Entered, not sent: another person has to send the same (not needed for your own verified number)',
      }),
    }
  const answers: (SmsAnswer | undefined)[] = []
  for (const id of given.made) answers.push(await deliver(kit, ctx.tenantId, id, true, given.serviceId))
  return said(ctx, answers)
}
