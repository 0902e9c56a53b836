import { useCallback } from 'react'
import { ownReason } from '#contract/kernel/own-reason.ts'
import { useLabel } from '../kernel/i18n/index.ts'

/** A stored reason as it is shown: in words of the reader's language where the program wrote it, else as somebody typed it. */
export const useReason = (): ((stored: unknown) => string) => {
  const label = useLabel()
  return useCallback(
    (stored: unknown) => {
      const text = String(stored ?? '')
      const own = ownReason(text)
      return own === null ? text : label(own)
    },
    [label],
  )
}
