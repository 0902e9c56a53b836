import type { useT } from '#web/kernel/i18n/index.ts'
import type { selectionTexts } from './texts.ts'

type Say = ReturnType<typeof useT<(typeof selectionTexts)['zh']>>

/** A place or score as it is today, and beside it what it was when the person was called, where a correction changed it since. */
export const sinceCall = (t: Say, now: string | number | null, called: string | number | null): string =>
  now === null ? '' : called === null || String(now) === String(called) ? String(now) : t('recheck.then', { now, called })
