import { Type } from 'typebox'
import { refuse } from './errors.ts'
import { idsOf } from './ids.ts'
import type { Label } from './label.ts'
import type { Refusal } from './refusal.ts'
import { named } from './schema.ts'

/** What is unlikely but can be: whoever sends it is asked, and it is taken once they say that it is so. */
export interface Doubt {
  /** Says which doubt it is, so that nothing is confirmed that was not asked. */
  readonly id: string
  /** The field of the input that it is about. */
  readonly field?: string
  readonly text: Label
}

const doubtId = '[A-Za-z0-9_.-]{1,60}'
/** What a call takes that may ask: the ids of doubts that are confirmed, with commas between them. */
export const sure = () =>
  named({ zh: '已确认的疑点', en: 'Confirmed doubts' }, Type.String({ pattern: `^${doubtId}(,${doubtId}){0,19}$`, 'x-list': true }))

/** What is still to be asked. */
export const doubtsLeft = (doubts: readonly Doubt[], confirmed: string | undefined): readonly Doubt[] => {
  const known = new Set(idsOf(confirmed ?? ''))
  return doubts.filter(({ id }) => !known.has(id))
}

/** Every doubt that is not confirmed yet, in one question; undefined where there is none. */
export const askAbout = (doubts: readonly Doubt[], confirmed: string | undefined): Refusal | undefined => {
  const left = doubtsLeft(doubts, confirmed)
  if (left.length === 0) return undefined
  const what = { zh: left.map(({ text }) => text.zh).join('；'), en: left.map(({ text }) => text.en).join('; ') }
  return refuse('kernel/asks', { what }, { data: { asks: left.map(({ text, ...doubt }) => ({ ...doubt, msg: text })) } })
}
