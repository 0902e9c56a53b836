import { useEffect, useState } from 'react'
import { formatInstant } from '#contract/exam/window.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useSession } from '#web/kernel/session.ts'
import { readStored, writeStored } from '#web/kernel/storage.ts'
import { type Draft, isChanged } from './draft.ts'

/** Typing is kept this much later, so that not every letter is written to the disk. */
const keepAfterMs = 800

/** What was typed, what it began with, and when. */
export interface Kept {
  readonly draft: Draft
  readonly base: Draft
  readonly at: string
}

/** Whether what was kept says more than what is stored: it differs, and nothing was stored since. Times on the wire, of a second, compare as texts. */
export const isWorth = (kept: Kept, saved: Draft): boolean =>
  isChanged(kept.draft, saved) && (saved.savedAt === null || kept.at >= saved.savedAt)

/**
 * Keeps what has not been saved in this browser: a session that ends in the middle, a closed window or a crash costs nothing.
 * @returns what an earlier visit left behind, and how it is put away
 */
export const useKeptDraft = (draft: Draft, saved: Draft) => {
  const userId = useSession(session => session.user?.userId ?? '')
  const name = `exam-typed-${userId}-${saved.id ?? 'new'}`
  const [found, setFound] = useState<Kept | null>(() => {
    const kept = readStored<Kept>(name)
    return kept?.draft?.values !== undefined && isWorth(kept, saved) ? kept : null
  })
  const changed = isChanged(draft, saved)
  useEffect(() => {
    // What was found stays until somebody has decided about it.
    if (found !== null) return
    // What is stored is not kept besides, not even for the moment until the page is left.
    if (!changed) return writeStored(name, null)
    const timer = setTimeout(() => writeStored(name, { draft, base: saved, at: formatInstant(serverNow()) } satisfies Kept), keepAfterMs)
    return () => clearTimeout(timer)
  }, [name, draft, saved, changed, found])
  return {
    found,
    drop: () => {
      writeStored(name, null)
      setFound(null)
    },
  }
}
