import { defineTexts } from '#web/kernel/i18n/index.ts'
import { zh } from './me-zh.ts'

/** What the page of one's own account says; the words of registering are in `texts.ts`. */
export const meTexts = defineTexts(zh, async () => (await import('./me-en.ts')).en)
