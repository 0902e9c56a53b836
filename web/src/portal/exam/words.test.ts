import { expect, test } from 'vitest'
import { examLabel } from '#contract/exam/exam.labels.ts'
import { fieldWords } from '#contract/kernel/field-words.ts'
import { en } from './en.ts'

test('[26.13] the page of an examination, its form and its problems call the same thing by the same English term', () => {
  expect([en['exam.organizer'], en['exam.undertaker']]).toEqual([examLabel('organizer').en, examLabel('undertaker').en])
  expect([fieldWords('promise')?.en, fieldWords('needPromise')?.en]).toEqual(['Undertaking', 'Undertaking needed'])
})
