import { frozenOnceReleased, hasBegun, isShortened, windowBegins, windowEnds } from '#contract/exam/released.ts'
import { parseInstant } from '#contract/exam/window.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { editTexts } from '../texts-edit.ts'
import type { ExamValues } from '../wire.ts'
import type { Draft } from './draft.ts'

const msOf = (value: unknown): number | null => (typeof value === 'string' && value !== '' ? (parseInstant(value) ?? null) : null)

/** Fields that stay as they are now, each with the text that says why; none of an examination that is not released. */
export const useFrozen = (draft: Draft, saved: ExamValues): Readonly<Record<string, string>> => {
  const t = useT(editTexts)
  if (draft.state === 0) return {}
  const begun = [...windowBegins].filter(field => hasBegun(msOf(saved[field]), serverNow()))
  return {
    ...Object.fromEntries([...frozenOnceReleased].map(field => [field, t('edit.frozen')])),
    ...Object.fromEntries(begun.map(field => [field, t('edit.begun')])),
  }
}

export interface Shortened {
  readonly field: string
  readonly old: string
  readonly next: string | null
}

/** Windows of a released examination that end earlier than what is stored. */
export const shortenedOf = (draft: Draft, saved: Draft): readonly Shortened[] =>
  draft.state !== 1
    ? []
    : [...windowEnds].flatMap(field => {
        const [old, next] = [saved.values[field], draft.values[field]]
        return isShortened(msOf(old), msOf(next))
          ? [{ field, old: String(old), next: typeof next === 'string' && next !== '' ? next : null }]
          : []
      })
