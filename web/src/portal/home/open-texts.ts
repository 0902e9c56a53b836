import { defineTexts } from '#web/kernel/i18n/index.ts'
import { openZh } from './open-zh.ts'

/** Of the examinations that are open, on the first page and in their list. */
export const openTexts = defineTexts(openZh, async () => (await import('../first-en.ts')).openEn)
