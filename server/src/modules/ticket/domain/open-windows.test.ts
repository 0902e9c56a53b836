import { expect, it } from 'vitest'
import { openWindows } from './open-windows.ts'

const at = (day: number): Date => new Date(`2026-03-${day}T17:00:00+08:00`)

it('[S7.39] names the windows that have not ended; nobody pays for a free examination', () => {
  const all = { signEnd: at(20), modifyEnd: at(21), payEnd: at(22), feeMode: 1 }
  expect(openWindows(all, at(19))).toEqual([
    { window: 'sign', end: at(20) },
    { window: 'modify', end: at(21) },
    { window: 'pay', end: at(22) },
  ])
  expect(openWindows(all, at(21))).toEqual([{ window: 'pay', end: at(22) }])
  expect(openWindows({ ...all, feeMode: 0 }, at(21))).toEqual([])
  expect(openWindows({ signEnd: null, modifyEnd: null, payEnd: null, feeMode: 1 }, at(1 + 9))).toEqual([])
})
