import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { GuestInput } from './third-party-calls.ts'

export type GuestField = keyof GuestInput
export type GuestProblem = 'tenant' | 'account' | 'password' | 'mismatch'

/** S5.14–S5.18 in their order: the first thing that is wrong, and the field that mends it. */
export const guestProblem = (input: GuestInput): { readonly problem: GuestProblem; readonly field: GuestField } | null => {
  if (foldWidth(input.tenantId) === '') return { problem: 'tenant', field: 'tenantId' }
  if (foldWidth(input.account) === '') return { problem: 'account', field: 'account' }
  if (input.password === '') return { problem: 'password', field: 'password' }
  if (input.password2 === '') return { problem: 'password', field: 'password2' }
  if (input.password !== input.password2) return { problem: 'mismatch', field: 'password2' }
  return null
}
