import type { ApiInput } from '#web/kernel/api.ts'

export type Advice = NonNullable<ApiInput<'POST /blade-signup/examine/examine'>['advisementList']>[number]
export type AdviceKind = Advice['kind']
/** What somebody has written so far, by `kind:key`. */
export type Advices = Readonly<Record<string, Advice>>

export const adviceId = (kind: AdviceKind, key: string): string => `${kind}:${key}`

export const withAdvice = (advices: Advices, advice: Advice): Advices => ({ ...advices, [adviceId(advice.kind, advice.key)]: advice })

export const withoutAdvice = (advices: Advices, id: string): Advices =>
  Object.fromEntries(Object.entries(advices).filter(([key]) => key !== id))

/** Sends a sign-up back to the first reviewer instead of to the candidate (domain 4.2). */
export const toFirstReviewer = (remark: string): Advice => ({ kind: 'other', key: 'reviewer', advice: remark.slice(0, 200) })
