import { foldGroups, foldWidth } from '../kernel/fold-width.ts'
import type { Label } from '../kernel/label.ts'

export type MobileProblem = 'required' | 'length' | 'format'

export const mobileMessages: Readonly<Record<MobileProblem, Label>> = {
  required: { zh: '请输入手机号码', en: 'Please enter the mobile number' },
  length: { zh: '手机号码应为 11 位', en: 'The mobile number must have 11 digits' },
  format: { zh: '手机号码格式不正确', en: 'The mobile number is not valid' },
}

/**
 * The form that is stored, hashed and compared: half-width, without the groups in which numbers are printed and without the country before it
 * (`+86 139 1234 5678`, `(+86)139-1234-5678`, `0086…`). What is no mobile number stays as it was typed.
 */
export const foldMobile = (text: string): string =>
  /^(?:\+?86|0086)?(1\d{10})$/.exec(foldGroups(text).replace(/[().]/g, ''))?.[1] ?? foldWidth(text)

/** Mobile number of mainland China (S5.28, domain 0). Matches 13800000001, not 12800000001. */
export function checkMobile(
  text: string,
): { readonly ok: true; readonly mobile: string } | { readonly ok: false; readonly problem: MobileProblem } {
  const mobile = foldMobile(text)
  if (mobile === '') return { ok: false, problem: 'required' }
  if ([...mobile].length !== 11) return { ok: false, problem: 'length' }
  return /^1[3-9]\d{9}$/.test(mobile) ? { ok: true, mobile } : { ok: false, problem: 'format' }
}
