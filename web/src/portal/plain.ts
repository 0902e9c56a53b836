import type { Lang } from '#web/kernel/i18n/index.ts'

/** Texts of the portal in simpler words, for readers of large type. What is not here is simple already. */
export const plainTexts: Readonly<Record<Lang, Readonly<Record<string, string>>>> = { zh: {}, en: {} }
