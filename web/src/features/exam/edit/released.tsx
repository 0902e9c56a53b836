import { examLabel } from '#contract/exam/exam.labels.ts'
import { frozenOnceReleased, hasBegun, isShortened, windowBegins, windowEnds } from '#contract/exam/released.ts'
import { parseInstant } from '#contract/exam/window.ts'
import { api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { type Label, useLabel, useT } from '#web/kernel/i18n/index.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
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

interface Shortened {
  readonly field: string
  readonly label: Label
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
          ? [{ field, label: examLabel(field), old: String(old), next: typeof next === 'string' && next !== '' ? next : null }]
          : []
      })

type Reach = { readonly drafts: number; readonly returned: number; readonly waiting: number; readonly unpaid: number }
/** Whose time it is that a window takes away. */
const concerned: Readonly<Record<string, readonly (keyof Reach)[]>> = {
  signEnd: ['drafts'],
  modifyEnd: ['returned'],
  examineEnd: ['waiting', 'returned'],
  payEnd: ['unpaid'],
}

const Shortening = ({ windows, reach }: { readonly windows: readonly Shortened[]; readonly reach: Reach }) => {
  const t = useT(editTexts)
  const label = useLabel()
  const kinds = [...new Set(windows.flatMap(({ field }) => concerned[field] ?? []))].filter(kind => reach[kind] > 0)
  return (
    <>
      <p>{t('edit.shorten.lead')}</p>
      <Facts
        items={windows.map(({ field, label: name, old, next }) => ({
          key: field,
          label: label(name),
          value: t('edit.shorten.line', { old: endMinuteOf(old), next: next === null ? t('edit.shorten.none') : endMinuteOf(next) }),
        }))}
      />
      <p>{t('edit.shorten.whom')}</p>
      <ul>
        {kinds.length === 0 ? (
          <li>{t('edit.shorten.nobody')}</li>
        ) : (
          kinds.map(kind => <li key={kind}>{t(`edit.shorten.${kind}`, { count: reach[kind] })}</li>)
        )}
      </ul>
    </>
  )
}

/** Asks before windows of a released examination end earlier. @returns whether to save */
export const askToShorten = async (
  draft: Draft,
  saved: Draft,
  texts: { readonly title: string; readonly ok: string },
): Promise<boolean> => {
  const windows = shortenedOf(draft, saved)
  if (windows.length === 0 || draft.id === null) return true
  const reach = await api.call('GET /blade-signup/examine/getWindowReach', { examId: draft.id })
  return confirm({ ...texts, text: <Shortening windows={windows} reach={reach} />, danger: true })
}
