import type { Label } from '../kernel/label.ts'

/** What a parameter of the program may be set to. One without a rule is any text. */
export interface ParameterRule {
  readonly kind: 'int' | 'switch' | 'choice' | 'process' | 'hours' | 'text'
  readonly min?: number
  readonly max?: number
  readonly options?: readonly string[]
  /** One value for all tenants: it protects the installation, or the law sets it. */
  readonly platformOnly?: true
  /** It is a part of a rule of two persons, which a change in this direction weakens: that takes two persons itself. */
  readonly weaker?: 'lower' | 'higher'
}

const int = (min: number, max: number): ParameterRule => ({ kind: 'int', min, max })
const onOff: ParameterRule = { kind: 'switch' }
const weakerWhen = (weaker: 'lower' | 'higher', rule: ParameterRule): ParameterRule => ({ ...rule, weaker })
const forAll = (rule: ParameterRule): ParameterRule => ({ ...rule, platformOnly: true })

export const parameterRules: Readonly<Record<string, ParameterRule>> = {
  'account.failCount': int(1, 10),
  'address.captchaMinute': int(10, 1_000_000),
  'address.smsHour': int(10, 1_000_000),
  'address.flowMinute': int(10, 1_000_000),
  'account.oneTimeHours': int(1, 720),
  'account.changeWaitHours': weakerWhen('lower', int(0, 720)),
  'account.totpAdmin': onOff,
  'account.totpStaff': onOff,
  'candidate.register': onOff,
  'candidate.autoPass': onOff,
  'candidate.smsLogin': onOff,
  'staff.smsLogin': onOff,
  'staff.register': onOff,
  'pay.autoRefundDuplicate': onOff,
  'pay.autoRefundLate': onOff,
  'pay.manualDoubleCheckFen': weakerWhen('higher', int(0, 1_000_000_000)),
  'avatar.maxKb': int(1, 500),
  'upload.imageMaxKb': int(1, 2_048),
  'upload.pdfMaxKb': int(1, 5_120),
  'upload.photoMaxKb': int(1, 500),
  'examine.lockMinutes': int(1, 240),
  'examine.undoMinutes': int(0, 1_440),
  'integrity.answerDays': int(1, 60),
  'examine.slaHours': int(1, 720),
  'sms.dailyBudget': weakerWhen('higher', int(0, 1_000_000)),
  'notice.announceDays': int(0, 60),
  'notice.signDays': int(0, 60),
  'notice.publicityDays': int(0, 60),
  'sms.payee': forAll({ kind: 'text', max: 300 }),
  'sms.quiet': { kind: 'hours' },
  'export.asyncRows': int(1, 5_000),
  'stat.cacheSeconds': int(0, 3_600),
  'flow.verifiedChange': { kind: 'process' },
  'flow.ownRequests': weakerWhen('higher', onOff),
  'reveal.perHour': int(0, 50),
  'log.apiScope': { kind: 'choice', options: ['off', 'changes', 'all'] },
  'log.usualLevel': { kind: 'choice', options: ['1', '2', '3', '4', '99'] },
  'log.usualDays': int(7, 3_650),
  'log.apiDays': forAll(int(180, 3_650)),
  'log.loginDays': forAll(int(180, 3_650)),
  'log.errorDays': int(7, 3_650),
}

/** Why a value does not fit its parameter; undefined when it does. */
export const parameterProblem = (key: string, value: string): Label | undefined => {
  const rule = Object.hasOwn(parameterRules, key) ? parameterRules[key] : undefined
  if (!rule) return undefined
  if (rule.kind === 'switch')
    return value === '0' || value === '1' ? undefined : { zh: '请填 1（开启）或 0（关闭）', en: 'enter 1 (on) or 0 (off)' }
  if (rule.kind === 'text') {
    const most = rule.max ?? 2_000
    return value.length <= most ? undefined : { zh: `最多 ${most} 字`, en: `enter at most ${most} characters` }
  }
  if (rule.kind === 'process')
    return /^(0|[A-Za-z_][\w-]{0,59})$/.test(value)
      ? undefined
      : { zh: '请填流程编号，不走流程填 0', en: 'enter the id of a process, or 0 for none' }
  if (rule.kind === 'hours')
    return value === '0' || /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(value)
      ? undefined
      : { zh: '请填起止时间，如 22:00-08:00；不限时填 0', en: 'enter two times, as 22:00-08:00, or 0 for none' }
  if (rule.kind === 'choice') {
    const options = rule.options ?? []
    return options.includes(value) ? undefined : { zh: `请填其中之一：${options.join('、')}`, en: `enter one of ${options.join(', ')}` }
  }
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = rule
  const fits = /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max
  return fits ? undefined : { zh: `请填 ${min} 至 ${max} 之间的整数`, en: `enter a whole number from ${min} to ${max}` }
}
/** Whether a change of a parameter weakens a rule of two persons; one from or to what is no number does. */
export const weakensTwoPersons = (key: string, from: string, to: string): boolean => {
  const weaker = Object.hasOwn(parameterRules, key) ? parameterRules[key]?.weaker : undefined
  if (weaker === undefined || from === to) return false
  return weaker === 'lower' ? !(Number(to) >= Number(from)) : !(Number(to) <= Number(from))
}
export const isForPlatformOnly = (key: string): boolean => Object.hasOwn(parameterRules, key) && parameterRules[key]?.platformOnly === true
