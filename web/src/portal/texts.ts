import { defineTexts } from '#web/kernel/i18n/index.ts'
import { zh } from './zh.ts'

/** Texts of the frame and of everything that several pages say. */
export const portalTexts = defineTexts(zh, async () => (await import('./first-en.ts')).portalEn)
