import { type TestApp, testSms } from './app.ts'
import { testIdCard } from './id-card.ts'
import { sealFor } from './login.ts'

/** A mobile number of its own for each `n` below a million. */
export const phoneOf = (n: number): string => `160${String(55_000_000 + n)}`

export interface Replied {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape -- parsing border
  readonly body: any
}
/** Sends a form by POST to a path below /api. */
export type SendForm = (path: string, form: FormData | URLSearchParams) => Promise<Replied>

/** The whole way of a new candidate: a code by SMS, then the form. @returns the last answer */
export const register = async (t: TestApp, send: SendForm, n: number): Promise<Replied> => {
  const code = await send('/blade-auth/oauth/sms/send-validate', new URLSearchParams({ phone: sealFor(t, phoneOf(n)) }))
  if (code.status !== 200) return code
  const form = new FormData()
  for (const [name, value] of Object.entries({
    ...{
      username: `behind${n}`,
      realName: '李测',
      idCard: testIdCard(5_000 + n),
      smsId: code.body.data.id,
      smsCode: testSms,
      consent: '1',
    },
    ...{ password: sealFor(t, 'Sunny-river-27'), password2: sealFor(t, 'Sunny-river-27'), phone: sealFor(t, phoneOf(n)) },
  }))
    form.append(name, value)
  return send('/blade-system/user/register', form)
}
