import { defineTexts } from '#web/kernel/i18n/index.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

export const examTexts = defineTexts(zh, en)
