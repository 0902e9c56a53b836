import { expect, test } from 'vitest'
import { namedChoices } from './named-choices.ts'

const finance = { value: '385374821900357295', label: '财务' }

test('what is chosen is called by name, or by a word while it is read and where it may not be, never by its id', () => {
  const named = (choices: readonly (typeof finance)[], isReading: boolean) =>
    namedChoices(choices, [finance.value], isReading, '已选（无权查看）').map(({ label }) => label)
  expect([named([finance], true), named([], true), named([], false)]).toEqual([['财务'], ['…'], ['已选（无权查看）']])
})
