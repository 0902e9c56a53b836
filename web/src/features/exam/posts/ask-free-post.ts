import { useCallback } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import type { BeforeSave } from '#web/resource/row-dialog.tsx'
import { askFree } from '../ask-free.ts'
import { examTexts } from '../texts.ts'
import { byPost } from './post-form.ts'

/** Asks before a post is saved that nobody pays for although the examination charges by post. */
export const useAskFreePost = (feeMode: number | undefined): BeforeSave => {
  const t = useT(examTexts)
  return useCallback(
    (row, values) => askFree(feeMode === byPost, row, values, { title: t('free.title'), text: t('free.post'), ok: t('free.ok') }),
    [t, feeMode],
  )
}
