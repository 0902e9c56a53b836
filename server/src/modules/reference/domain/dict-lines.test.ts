import { expect, test } from 'vitest'
import { readDictLines } from './dict-lines.ts'

const read = (text: string, ...taken: string[]) => readDictLines(text, new Set(taken))

test('lines out of a sheet or typed with commas are entries; empty ones are none', () => {
  expect(read('1\t白班\tDay\r\n\r\n 2 \t 夜班 \n3，中班\n4,早班,Early')).toEqual({
    lines: [
      { dictKey: '1', dictValue: '白班', dictValueEn: 'Day' },
      { dictKey: '2', dictValue: '夜班', dictValueEn: '' },
      { dictKey: '3', dictValue: '中班', dictValueEn: '' },
      { dictKey: '4', dictValue: '早班', dictValueEn: 'Early' },
    ],
  })
  expect(read('a\t甲，乙')).toEqual({ lines: [{ dictKey: 'a', dictValue: '甲，乙', dictValueEn: '' }] })
})

test('what is wrong is told by the number of its line, five of them', () => {
  const wrong = read(['1,甲', '1,乙', '只有名称', '9,丙', '-1,丁', '2,a,b,c', `${'长'.repeat(61)},戊`, '', ',己'].join('\n'), '9')
  expect(wrong).toEqual({
    problem: {
      zh: '第 2 行：键值 1 与第 1 行重复；第 3 行：应为 键值、名称、英文名称（可不填）；第 4 行：键值 9 已存在；第 5 行：字典键值不能为负数；第 6 行：应为 键值、名称、英文名称（可不填）；另有 2 行',
      en: 'line 2: the key 1 stands in line 1 too; line 3: key, name and, if there is one, the English name; line 4: the key 9 is there already; line 5: the key cannot be negative; line 6: key, name and, if there is one, the English name; and 2 more',
    },
  })
  expect([read(' \n'), read(Array.from({ length: 201 }, (_, i) => `${i},x`).join('\n'))]).toEqual([
    { problem: { zh: '请粘贴字典项，每行一项', en: 'Paste the entries, one a line' } },
    { problem: { zh: '一次最多 200 行，现有 201 行', en: 'At most 200 lines at once; these are 201' } },
  ])
  expect('lines' in read(Array.from({ length: 200 }, (_, i) => `${i},x`).join('\n'))).toBe(true)
})
