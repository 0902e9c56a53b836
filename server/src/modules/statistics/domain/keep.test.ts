import { expect, test } from 'vitest'
import { keepMsOf } from './keep.ts'

test('a parameter shortens the 30 seconds and never lengthens them', () => {
  expect([undefined, '', 'x', '-1', '0', '5', '30', '3600'].map(keepMsOf)).toEqual([
    30_000, 30_000, 30_000, 30_000, 0, 5_000, 30_000, 30_000,
  ])
})
