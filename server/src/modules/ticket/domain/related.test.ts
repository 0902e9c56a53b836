import { expect, test } from 'vitest'
import { relatedKeysOf } from './related.ts'

const facts = { name: '王小明', school: '', major: '', graduateDate: '', className: '', address: '' }

test('[S7.39] people of one class or of one surname at one address share a key, however it was typed', () => {
  expect(relatedKeysOf(facts)).toEqual([])
  expect(relatedKeysOf({ ...facts, school: '杭州医学院', major: '护理学', graduateDate: '2026-06-30', address: '文三路 8 号' })).toEqual([
    'class|杭州医学院|护理学|2026-06',
    'home|王|文三路8号',
  ])
  expect(relatedKeysOf({ ...facts, school: '杭州医学院', major: '护理学', className: '２２护理 1 班', address: '文三路８号' })).toEqual([
    'class|杭州医学院|22护理1班',
    'home|王|文三路8号',
  ])
})
