import { expect, test } from 'vitest'
import { param } from './param.resource.ts'
import { keysNamedLike, parameterNameIn, parameterNames, storedParameterName } from './parameter-names.ts'

test('[S2.50] a parameter of the program is called in the reader’s language, until a tenant calls it otherwise', () => {
  expect(parameterNameIn('sms.dailyBudget', '短信每日额度（条）', 'en')).toBe('Text messages a day')
  expect(parameterNameIn('sms.dailyBudget', '短信每日额度（条）', 'zh')).toBe('短信每日额度（条）')
  expect([parameterNameIn('sms.dailyBudget', '我们的额度', 'en'), parameterNameIn('own.key', '自建', 'en')]).toEqual(['我们的额度', '自建'])
  expect(parameterNameIn('constructor', '自建', 'en')).toBe('自建')
})

test('[S2.50] what was shown in English and is sent back is not a new name', () => {
  expect(storedParameterName('sms.dailyBudget', 'Text messages a day')).toBe('短信每日额度（条）')
  expect([storedParameterName('sms.dailyBudget', 'Ours'), storedParameterName('own.key', 'Text messages a day')]).toEqual([
    'Ours',
    'Text messages a day',
  ])
})

test('[S2.50] every name fits its field, and is its own in both languages', () => {
  const all = Object.values(parameterNames)
  expect(all.flatMap(({ zh, en }) => [zh, en]).filter(name => name.length > (param.fields.paramName.max ?? 0))).toEqual([])
  expect([new Set(all.map(({ zh }) => zh)).size, new Set(all.map(({ en }) => en)).size]).toEqual([all.length, all.length])
  expect(all.filter(({ en }) => /\p{Script=Han}/u.test(en))).toEqual([])
})

test('[S2.50] a search finds English names by a part of them', () => {
  expect(keysNamedLike(' second FACTOR')).toEqual(['account.totpAdmin', 'account.totpStaff'])
  expect(keysNamedLike('短信')).toEqual([])
})
