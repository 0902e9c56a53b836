import { useEffect, useState } from 'react'
import { useSession } from '#web/kernel/session.ts'
import { readStored, writeStored } from '#web/kernel/storage.ts'
import { type Draft, isChanged } from './draft.ts'

/** Typing is kept this much later, so that not every letter is written to the disk. */
const keepAfterMs = 800

/**
 * Keeps what has not been saved in this browser: a session that ends in the middle, a closed window or a crash costs nothing.
 * @returns what an earlier visit left behind, and how it is put away
 */
export const useKeptDraft = (draft: Draft, saved: Draft) => {
  const userId = useSession(session => session.user?.userId ?? '')
  const name = `exam-draft-${userId}-${saved.id ?? 'new'}`
  const [found, setFound] = useState<Draft | null>(() => {
    const kept = readStored<Draft>(name)
    return kept !== null && kept.values !== undefined && isChanged(kept, saved) ? kept : null
  })
  const changed = isChanged(draft, saved)
  useEffect(() => {
    // What was found stays until somebody has decided about it.
    if (found !== null) return
    const timer = setTimeout(() => writeStored(name, changed ? draft : null), keepAfterMs)
    return () => clearTimeout(timer)
  }, [name, draft, changed, found])
  return {
    found,
    drop: () => {
      writeStored(name, null)
      setFound(null)
    },
  }
}
