import { expect, test } from 'vitest'
import { byProvince, provinceTiles } from './provinces.ts'

test('each of the 34 provinces has a tile of its own', () => {
  expect(provinceTiles).toHaveLength(34)
  expect(new Set(provinceTiles.map(one => one.code)).size).toBe(34)
  expect(new Set(provinceTiles.map(one => `${one.column} ${one.row}`)).size).toBe(34)
})

test('[S7.52] regions are summed by province, the most people first; what must not be said hides the sum that it would follow from', () => {
  const { provinces, others } = byProvince([
    { code: '330200', name: '宁波市', people: 4 },
    { code: '330100', name: '杭州市', people: 9 },
    { code: '650100', name: '乌鲁木齐市', people: null },
    { code: '650000', name: '新疆', people: 7 },
    { code: null, name: '未填', people: 2 },
    { code: '990000', name: '国外', people: 1 },
  ])
  const of = (code: string) => provinces.find(one => one.tile.code === code)
  expect(of('33')).toMatchObject({ people: 13, regions: [{ name: '杭州市' }, { name: '宁波市' }] })
  expect(of('65')).toMatchObject({ people: null, regions: [{ name: '新疆' }, { name: '乌鲁木齐市' }] })
  expect(of('11')).toMatchObject({ people: 0, regions: [] })
  expect(others.map(one => one.name)).toEqual(['未填', '国外'])
})
