import { currentLang } from './index.ts'

/** Words one after another, with the mark that stands between them in the current language. */
export const listOf = (words: readonly string[]): string => words.join(currentLang() === 'zh' ? '、' : ', ')
