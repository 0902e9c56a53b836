import { defineTexts } from '#web/kernel/i18n/index.ts'
import { zh } from './zh.ts'

export const reportTexts = defineTexts(zh, async () => (await import('./en.ts')).en)
