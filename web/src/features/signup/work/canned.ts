import { cannedAdvice } from '#contract/signup/canned-advice.ts'
import type { Label } from '#web/kernel/i18n/index.ts'

export const cannedForItem: readonly Label[] = cannedAdvice.item
export const cannedForPost: readonly Label[] = cannedAdvice.post

/** @param has whether a file stands there at all */
export const cannedForFile = (fileKey: string, has: boolean): readonly Label[] =>
  !has ? cannedAdvice.missing : fileKey === 'photo' ? cannedAdvice.photo : cannedAdvice.file
