import { expect, test } from 'vitest'
import { adviceIn, cannedAdvice, storedAdvice } from './canned-advice.ts'

test('a common advice is stored in Chinese and read in both languages; other texts stay as they are', () => {
  const [first] = cannedAdvice.item
  expect([storedAdvice(first.en), storedAdvice(first.zh), storedAdvice(' 请补第 3 页 ')]).toEqual([first.zh, first.zh, '请补第 3 页'])
  expect([adviceIn(first.zh, 'en'), adviceIn(first.en, 'zh'), adviceIn('请补第 3 页', 'en')]).toEqual([first.en, first.zh, '请补第 3 页'])
})

test('no two common texts are the same', () => {
  const texts = [...new Set(Object.values(cannedAdvice).flat())]
  expect(new Set(texts.map(text => text.zh)).size).toBe(texts.length)
  expect(new Set(texts.map(text => text.en)).size).toBe(texts.length)
})
