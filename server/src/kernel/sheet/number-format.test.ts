import { expect, test } from 'vitest'
import { readFormat, showDate, showNumber, showText } from './number-format.ts'

const show = (value: number, code: string) => {
  const shown = showNumber(value, readFormat(164, code))
  return 'text' in shown ? shown.text : `!${shown.unshown}`
}

test.each([
  [7, '0000', '0007'],
  [12_345, '0000', '12345'],
  [7, '"A"000', 'A007'],
  [-7, '"A"000', '-A007'],
  [305, '00-00', '03-05'],
  [305, '00\\-00', '03-05'],
  [12_345, '00-00', '123-45'],
  [13_912_345_678, '000-0000-0000', '139-1234-5678'],
  [12_345, '#,##0', '12,345'],
  [1_234_567.5, '#,##0.00', '1,234,567.50'],
  [12, '#,##0.00;[Red]-#,##0.00', '12.00'],
  [-12, '#,##0.00;[Red]-#,##0.00', '-12.00'],
  [-12, '0;(0)', '(12)'],
  [100, '¥#,##0.00', '¥100.00'],
  [100, '[$¥-804]#,##0.00', '¥100.00'],
  [100, '_ * #,##0.00_ ;_ * -#,##0.00_ ;_ * "-"??_ ;_ @_ ', '100.00'],
  [0.5, '0%', '50%'],
  [0.256, '0.0%', '25.6%'],
  [1.005, '0.00', '1.01'],
  [78.6, '0', '79'],
  [0.4, '#', '!nothing'],
  [35_000, '0.0,', '35.0'],
  [3, '0"人"', '3人'],
  [3.5, '0.##', '3.5'],
  [3, '0.##', '3.'],
  [7, '"No."General', 'No.7'],
  [7, '@', '7'],
  [5, ';;;', '!nothing'],
  [0, '0;-0;;@', '!nothing'],
  [123_456, '0.00E+00', '!scientific'],
  [330_106_199_001_011_200, '0', '!scientific'],
  [0.5, '# ?/?', '!format'],
  [150, '[>=100]0;0.0', '!format'],
  [5, '[DBNum1][$-804]General', '!format'],
  [5, 'A000', '!format'],
])('%d in the format %s is shown as %s', (value, code, shown) => expect(show(value, code)).toBe(shown))

test('without a format a number is its digits, as far as they are certain', () => {
  const general = (value: number) => showNumber(value, readFormat(0, undefined))
  expect([7, 260_301_012_173, 0.1 + 0.2, 78.6, -3.25, 1 / 3].map(general)).toEqual(
    ['7', '260301012173', '0.3', '78.6', '-3.25', '0.333333333'].map(text => ({ text })),
  )
  expect([330_106_199_001_011_200, 0.00000123456789].map(general)).toEqual([{ unshown: 'scientific' }, { unshown: 'scientific' }])
})

test('dates are shown by formats that say the same everywhere; parts and words that differ by language are not', () => {
  const date = new Date('2026-03-05T07:08:09Z')
  const shown = (code: string | undefined, id = 164) => {
    const format = readFormat(id, code)
    const text = showDate(date, format)
    return [format.date, 'text' in text ? text.text : text.unshown]
  }
  expect([
    shown('yyyy-mm-dd'),
    shown('yyyy/m/d'),
    shown('yyyy"年"m"月"d"日"'),
    shown('yyyy\\-mm\\-dd\\ hh:mm:ss'),
    shown('m"月"d"日"'),
    shown('h:mm'),
    shown('yyyy"年"m"月"'),
    shown('d-mmm-yy'),
    shown('[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy'),
    shown(undefined, 14),
    shown(undefined, 58),
  ]).toEqual([
    ['whole', '2026-03-05'],
    ['whole', '2026/3/5'],
    ['whole', '2026年3月5日'],
    ['whole', '2026-03-05 07:08:09'],
    ['part', '3月5日'],
    ['time', '7:08'],
    ['part', '2026年3月'],
    ['whole', 'format'],
    ['whole', 'format'],
    ['whole', 'format'],
    ['part', 'format'],
  ])
})

test('a text is shown with what its format adds, and not at all where that hides it', () => {
  const shown = (code: string) => showText('001', readFormat(164, code))
  expect([shown('@'), shown('"A"@'), shown('0000'), shown('0;-0;;"B"@'), shown(';;;')]).toEqual([
    { text: '001' },
    { text: 'A001' },
    { text: '001' },
    { text: 'B001' },
    { unshown: 'nothing' },
  ])
})
