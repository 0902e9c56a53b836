import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { MessageModule } from '#modules/message/index.ts'
import type { CheckOutside } from './release-problems.ts'

const words: Readonly<Record<'service' | 'template', Label>> = {
  service: {
    zh: '没有启用的短信服务：考生收不到验证码，无法注册或用短信登录（消息 › 短信服务）',
    en: 'No text message service is on: candidates get no codes and can neither register nor log in by text message (Messages › Text message services)',
  },
  template: {
    zh: '短信模板“登录验证码”没有服务商的模板编号：考生收不到验证码（消息 › 消息模板）',
    en: 'The words of codes have no template number of the provider: candidates get no codes (Messages › Templates)',
  },
}

export interface CodesDeps {
  readonly message: Pick<MessageModule, 'codeProblem'>
  readonly parametersOf: (db: TenantDb, keys: readonly string[]) => Promise<Readonly<Record<string, string>>>
}

/** Candidates register, and log in without a password, by codes in text messages: where these reach nobody, nobody signs up. */
export const codesReach =
  ({ message, parametersOf }: CodesDeps): CheckOutside =>
  async db => {
    const problem = await message.codeProblem(db)
    if (problem === undefined) return []
    const set = await parametersOf(db, ['candidate.register', 'candidate.smsLogin'])
    if (set['candidate.register'] === '0' && set['candidate.smsLogin'] === '0') return []
    return [{ path: 'sms', message: words[problem] }]
  }
