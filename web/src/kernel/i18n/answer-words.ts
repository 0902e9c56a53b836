import type { AnswerWords } from '#contract/signup/answer-text.ts'
import { currentLang } from './index.ts'

/** Answers in the reader's language; what a key is called comes with the field. */
export const answerWords = (): AnswerWords => {
  const zh = currentLang() === 'zh'
  return {
    chosen: (field, key) => field.options?.find(option => option.value === key)?.label,
    between: zh ? '、' : ', ',
    betweenCells: ' ',
    betweenRows: zh ? '；' : '; ',
    provided: zh ? '已提供' : 'Provided',
    sealed: '****',
  }
}
