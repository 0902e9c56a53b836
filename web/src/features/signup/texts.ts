import { defineTexts } from '#web/kernel/i18n/index.ts'
import { reviewEn } from './en.ts'
import { reviewZh } from './zh.ts'

export const reviewTexts = defineTexts(reviewZh, reviewEn)
