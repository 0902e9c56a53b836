import { expect, it } from 'vitest'
import { fittingBox } from './fit.ts'

it('[S4.09] a drawing stands in the middle of its frame with air around it, and is not blown up', () => {
  const inner = { x: 100, y: 50, width: 952, height: 100 }
  expect(fittingBox(inner, { width: 500, height: 300 })).toEqual({ x: 76, y: -200, width: 1000, height: 600 })
  expect(fittingBox({ ...inner, width: 52 }, { width: 500, height: 300 })).toEqual({ x: -124, y: -50, width: 500, height: 300 })
})
