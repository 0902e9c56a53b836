import { defineTexts } from '#web/kernel/i18n/index.ts'
import { zh } from './zh.ts'

export const homeTexts = defineTexts(zh, async () => (await import('../first-en.ts')).homeEn)
