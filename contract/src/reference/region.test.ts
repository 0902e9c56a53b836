import { expect, test } from 'vitest'
import { isRegionBelow, regionCodeBelow, regionCodeOf, regionLevelOf, regionStem } from './region.ts'

test.each([
  ['330000', 1],
  ['330100', 2],
  ['330106', 3],
  ['330106001', 4],
  ['330106001002', 5],
  ['033010', null],
  ['3301', null],
  ['33010A', null],
  ['', null],
])('%s is of level %s', (code, level) => {
  expect(regionLevelOf(code)).toBe(level)
})

test.each([
  ['330100', '330000', true],
  // A county without a city above it.
  ['429004', '420000', true],
  ['330106', '330200', false],
  ['330106001', '330106', true],
  ['330106001002', '330106', true],
  ['330000', '330100', false],
  ['330106', '330106', false],
])('%s below %s: %s', (code, parent, is) => {
  expect(isRegionBelow(code, parent)).toBe(is)
})

test('the stem is what a region shares with all below it', () => {
  expect(['330000', '330100', '330106', '330106001'].map(regionStem)).toEqual(['33', '3301', '330106', '330106001'])
})

test.each([
  ['33', '330000'],
  ['3300', '330000'],
  ['003300', '330000'],
  ['3301', '330100'],
  ['330000330100', '330100'],
  ['330000330100330106', '330106'],
  ['330106001', '330106001'],
  ['330106001002', '330106001002'],
  // Towns and villages of a city that has no counties.
  ['441900003', '441900003'],
  ['441900003001', '441900003001'],
  ['00', '00'],
  ['', ''],
])('[21.9] %s as a client of the framework writes it is %s', (sent, code) => {
  expect(regionCodeOf(sent)).toBe(code)
})

test.each([
  ['3300', '00', '330000'],
  ['00330035', '003300', '333500'],
  ['33000035', '330000', '333500'],
  ['33000033010006', '330000330100', '330106'],
  ['330100330106001', '330100330106', '330106001'],
  ['330100', '330000', '330100'],
  ['330106001', '330106', '330106001'],
  ['330000', '', '330000'],
])('[21.9] %s below %s is %s', (sent, parent, code) => {
  expect(regionCodeBelow(sent, parent)).toBe(code)
})
