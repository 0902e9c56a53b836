import { expect, it } from 'vitest'
import { printedWords } from './printed-words.ts'

it('[S7.54] says of a printing what it was, of which paper and room, and of how many', () => {
  expect(printedWords({ layout: 'door', paper: '护理学专业知识', roomNo: '001', people: 28 })).toEqual({
    zh: '门贴 · 护理学专业知识 · 第 001 考场 · 28 人',
    en: 'Door sheets · 护理学专业知识 · room 001 · 28 people',
  })
  expect(printedWords({ layout: 'photo', paper: null, roomNo: null, people: 310 })).toEqual({
    zh: '照片对照表 · 310 人',
    en: 'Photo lists · 310 people',
  })
  // Lines of before say less.
  expect(printedWords({ layout: null, paper: null, roomNo: null, people: 1 })).toEqual({ zh: '准考证 · 1 人', en: 'Tickets · 1 person' })
})
