import type { Label } from '../kernel/label.ts'
import { holdsUnseen } from '../kernel/tidy-text.ts'

export type PasswordProblem = 'required' | 'unseen' | 'too-short' | 'too-long' | 'common' | 'contains-own-data' | 'classes'

const passwordMessages: Readonly<Record<PasswordProblem, Label>> = {
  required: { zh: '请输入密码', en: 'Please enter the password' },
  unseen: {
    zh: '密码含有看不见的字符（如换行、零宽字符），请重新输入',
    en: 'The password contains characters that cannot be seen, such as a line break; type it again',
  },
  'too-short': { zh: '密码至少 {min} 位', en: 'The password must have at least {min} characters' },
  'too-long': { zh: '密码最多 {max} 位', en: 'The password must have at most {max} characters' },
  common: { zh: '该密码过于常见，请换一个', en: 'This password is too common; choose another one' },
  'contains-own-data': {
    zh: '密码不能包含账号、手机号或单位名称',
    en: 'The password must not contain the account, the phone number or the name of the organisation',
  },
  classes: {
    zh: '密码须包含大写字母、小写字母、数字、符号中的三类',
    en: 'The password must contain three of: upper case, lower case, digits, symbols',
  },
}

export interface PasswordPolicy {
  readonly minLength: number
  readonly maxLength: number
  /** Three of four character classes: part of the MLPS level 3 profile, off by default. */
  readonly needsClasses: boolean
}

/** Decision 4.7: no composition rule unless the MLPS profile is on. */
export const passwordPolicyOf = (who: 'candidate' | 'staff', isMlps = false): PasswordPolicy => ({
  minLength: who === 'staff' ? 12 : 8,
  maxLength: 64,
  needsClasses: isMlps,
})

export interface PasswordFacts {
  readonly password: string
  /** Account, phone, id card, words of the tenant: what a guesser tries first. Shorter than 4 characters they only count as the whole. */
  readonly ownWords: readonly (string | undefined)[]
  /** Whether the lower-case password stands on the list of common passwords. In the browser, which has no list: `() => false`. */
  readonly isCommon: (lowerCasePassword: string) => boolean
}

/** All reasons against a password, in the order of `passwordMessages`. Lengths count code points. */
export function checkPassword(facts: PasswordFacts, policy: PasswordPolicy): PasswordProblem[] {
  const { password } = facts
  if (password === '') return ['required']
  const length = [...password].length
  const lower = password.toLowerCase()
  const isOwn = (word: string | undefined) => {
    const own = word?.trim().toLowerCase() ?? ''
    return own !== '' && (own.length < 4 ? lower === own : lower.includes(own))
  }
  const classes = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter(kind => kind.test(password)).length
  const problems: PasswordProblem[] = []
  // A password is taken exactly as it was typed; one with such characters could not be typed again.
  if (holdsUnseen(password)) problems.push('unseen')
  if (length < policy.minLength) problems.push('too-short')
  if (length > policy.maxLength) problems.push('too-long')
  if (facts.isCommon(lower)) problems.push('common')
  if (facts.ownWords.some(isOwn)) problems.push('contains-own-data')
  if (policy.needsClasses && classes < 3) problems.push('classes')
  return problems
}

/** The message of one problem with the lengths of the policy filled in. */
export function passwordMessage(problem: PasswordProblem, policy: PasswordPolicy): Label {
  const fill = (text: string) => text.replace('{min}', String(policy.minLength)).replace('{max}', String(policy.maxLength))
  const { zh, en } = passwordMessages[problem]
  return { zh: fill(zh), en: fill(en) }
}
