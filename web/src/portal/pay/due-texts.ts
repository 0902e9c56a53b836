import { defineTexts } from '#web/kernel/i18n/index.ts'
import { dueZh } from './due-zh.ts'

/** Of the notices of pending payments, which stand on the first page. */
export const dueTexts = defineTexts(dueZh, async () => (await import('../first-en.ts')).dueEn)
