import type { ApiInput } from '#web/kernel/api.ts'
import type { ExamineInfo } from '../show.ts'

export type Advice = NonNullable<ApiInput<'POST /blade-signup/examine/examine'>['advisementList']>[number]
export type AdviceKind = Advice['kind']
/** What somebody has written so far, by `kind:key`. */
export type Advices = Readonly<Record<string, Advice>>

export const adviceId = (kind: AdviceKind, key: string): string => `${kind}:${key}`

export const withAdvice = (advices: Advices, advice: Advice): Advices => ({ ...advices, [adviceId(advice.kind, advice.key)]: advice })

export const withoutAdvice = (advices: Advices, id: string): Advices =>
  Object.fromEntries(Object.entries(advices).filter(([key]) => key !== id))

/**
 * What a judgement of the portrait does to the advices: one that is not good is itself what the candidate has to mend, so it needs no second remark. It is
 * written in common words until the reviewer says it in their own, and goes when the judgement is taken back.
 */
export const withPhotoJudged = (advices: Advices, isBad: boolean, photo: Omit<Advice, 'kind' | 'key'>): Advices => {
  const id = adviceId('file', 'photo')
  if (isBad) return advices[id] ? advices : withAdvice(advices, { kind: 'file', key: 'photo', ...photo })
  return advices[id]?.advice === photo.advice ? withoutAdvice(advices, id) : advices
}

/** Sends a sign-up back to the first reviewer instead of to the candidate (domain 4.2). */
export const toFirstReviewer = (remark: string): Advice => ({ kind: 'other', key: 'reviewer', advice: remark.slice(0, 200) })

interface Named {
  readonly kind: AdviceKind
  readonly key: string
  readonly label: string
}
/** Every answer and file that an advice could be about. */
export const partsOf = (info: Pick<ExamineInfo, 'items' | 'fileLabels'> | null): readonly Named[] =>
  info === null
    ? []
    : [
        ...info.items.flatMap(group =>
          group.items.map(({ itemKey, itemLabel }) => ({ kind: 'item' as const, key: itemKey, label: itemLabel })),
        ),
        ...Object.entries(info.fileLabels).map(([key, label]) => ({ kind: 'file' as const, key, label })),
      ]

/** What a remark names and no advice marks: the candidate reads of it and finds it locked. A name within a longer one is meant by that. */
export const unmarked = (remark: string, parts: readonly Named[], advices: Advices): readonly string[] => {
  let rest = remark
  const found: string[] = []
  for (const part of parts.toSorted((a, b) => b.label.length - a.label.length)) {
    if (part.label.length < 2 || !rest.includes(part.label)) continue
    rest = rest.replaceAll(part.label, ' ')
    if (advices[adviceId(part.kind, part.key)] === undefined) found.push(part.label)
  }
  return found
}
