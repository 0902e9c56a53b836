import { expect, test } from 'vitest'
import { judgePhoto, photoFault } from './photo.ts'

const found = (ground: string, isGood = false, brightness = 'mean 120, spread 40') => [
  { rule: 'size', ok: true, got: '295×413' },
  { rule: 'ground', ok: isGood, got: ground },
  { rule: 'brightness', ok: brightness.startsWith('mean 120'), got: brightness },
]
const verdicts = (...of: Parameters<typeof found>) => judgePhoto(null, found(...of)).map(one => one.verdict)

test('[19.6] what is certain refuses, what is not goes to the reviewer and says so', () => {
  expect(verdicts('white 98 %', true)).toEqual(['ok', 'ok', 'ok'])
  expect(verdicts('red 96 %')).toEqual(['ok', 'refused', 'ok'])
  for (const ground of ['grey 97 %', 'white 70 %', 'other 95 %', 'black 99 %', 'blue 60 %'])
    expect(verdicts(ground)).toEqual(['ok', 'reviewer', 'ok'])
  expect(verdicts('white 98 %', true, 'mean 30, spread 20')).toEqual(['ok', 'ok', 'reviewer'])
  // Nobody is on it: its ground is not called good.
  expect(judgePhoto(null, found('white 98 %', true, 'nothing but ground')).map(one => [one.rule, one.verdict])).toEqual([
    ['size', 'ok'],
    ['brightness', 'refused'],
  ])
  expect(photoFault(null, found('red 60 %'))?.zh).toBe('证件照背景是红色，应为白色或蓝色，请换一张')
  expect(photoFault(null, found('grey 90 %'))).toBeUndefined()
  expect(judgePhoto(null, found('grey 90 %'))[1]?.message?.zh).toBe('背景不像是单一的白色或蓝色，由审核人员判断')
})

test('[19.6] pixels and shape are the examination’s own where it has some, whatever the usual rule found', () => {
  const square = { minW: 300, minH: 300, maxW: 900, maxH: 900, ratio: [1, 1] as const }
  const sized = (got: string, ok: boolean) => [
    { rule: 'size', ok, got },
    { rule: 'ratio', ok, got: '1.00' },
  ]
  expect(judgePhoto(square, sized('400×400', false)).map(one => one.verdict)).toEqual(['ok', 'ok'])
  expect(judgePhoto(square, sized('200×200', true)).map(one => [one.verdict, one.message?.zh])).toEqual([
    ['refused', '证件照像素过小（200×200），至少 300×300'],
    ['ok', undefined],
  ])
  expect(photoFault({ minW: 300 }, sized('200×900', true))?.en).toBe('The photo has too few pixels (200×900); at least 300×0')
})
