import { expect, test } from 'vitest'
import { reportNumber } from './report-number.ts'

test.each([
  [1_234_567, 'count', '1,234,567'],
  [0, 'count', '0'],
  [12_345_678, 'money', '123,456.78'],
  [5, 'money', '0.05'],
  [-150, 'money', '-1.50'],
  [1234.5, 'number', '1,234.5'],
  [35.456, 'number', '35.46'],
] as const)('%d as %s is %s', (value, unit, text) => expect(reportNumber(value, unit)).toBe(text))
