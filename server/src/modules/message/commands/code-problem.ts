import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findSceneTemplate } from '../data/template.repo.ts'
import { inTenant, type MessageKit } from '../deps.ts'
import type { SmsService } from '../providers/accounts.ts'
import { tellAdministrators } from './alarm.ts'

/** Text messages with a code, which somebody waits for at a screen. */
export const codeTemplate = 'login-code'

/** `service`: no service is on. `template`: the service that is on knows no number for the words. */
export type SendProblem = 'service' | 'template'

/**
 * Whether the service only writes down what it is given. That is how demo and tests go on without a provider; in production it would count as sent
 * what nobody gets.
 */
export const sendsNothing = ({ services }: Pick<MessageKit, 'services'>, service: SmsService): boolean =>
  service.rowId === null && services.config.profile === 'production'

/** Why messages with these words reach nobody as the tenant is set up now; undefined where they are handed to a provider. */
export const sendProblem = async (kit: MessageKit, db: TenantDb, template: string): Promise<SendProblem | undefined> => {
  const service = await kit.sms.current(db)
  if (sendsNothing(kit, service)) return 'service'
  if (service.rowId === null) return undefined
  const own = await findSceneTemplate(db, template)
  if (own && own.templateId !== '') return undefined
  if (service.ownerId === platformTenant && (await kit.sms.platformScene(template))) return undefined
  return 'template'
}

export const sendProblemWords: Readonly<Record<SendProblem, { readonly code: string; readonly title: Label; readonly content: Label }>> = {
  service: {
    code: 'NO_SERVICE',
    title: { zh: '告警：未设置短信服务，短信未发出', en: 'Alert: no text message service is on, nothing was sent' },
    content: {
      zh: '有人请求短信验证码或有短信待发，但没有启用的短信服务。考生无法注册或用短信登录。请在“消息 › 短信服务”中设置并启用。',
      en: 'Somebody asked for a code, or a text message was due, and no service is on. Candidates can neither register nor log in by text message. Set a service up under Messages › Text message services.',
    },
  },
  template: {
    code: 'NO_CODE_TEMPLATE',
    title: { zh: '告警：验证码短信没有模板编号，短信未发出', en: 'Alert: the words of codes have no template number, nothing was sent' },
    content: {
      zh: '有人请求短信验证码，但短信模板“登录验证码”没有服务商的模板编号。请在“消息 › 消息模板”中填写。',
      en: 'Somebody asked for a code, and its words have no template number of the provider. Enter it under Messages › Templates.',
    },
  },
}

/** Tells the administrators of the tenant, and those of the platform, whose service sends for tenants without one: once a day. */
export const raiseSendProblem = async (kit: MessageKit, tenantId: string, problem: SendProblem): Promise<void> => {
  const words = sendProblemWords[problem]
  for (const to of new Set([tenantId, platformTenant])) await inTenant(kit, to, db => tellAdministrators(db, words))
}
