import { expect, it } from 'vitest'
import { fittingBox, sizeOf } from './fit.ts'

it('[S4.09] a drawing stands in the middle of its frame with air around it, and is not blown up', () => {
  const inner = { x: 100, y: 50, width: 952, height: 100 }
  expect(fittingBox(inner, { width: 500, height: 300 })).toEqual({ x: 76, y: -200, width: 1000, height: 600 })
  expect(fittingBox({ ...inner, width: 52 }, { width: 500, height: 300 })).toEqual({ x: -124, y: -50, width: 500, height: 300 })
})

it('two drawings are seen in one scale: the smaller one keeps the room of the larger', () => {
  const xml = (x: number) =>
    `<dc:Bounds x="100" y="-20.5" width="36" height="36" /><bpmndi:BPMNEdge><di:waypoint x="136" y="0" /><di:waypoint x="${x}" y="40" /></bpmndi:BPMNEdge>`
  expect([sizeOf(xml(500)), sizeOf(xml(1300)), sizeOf('')]).toEqual([
    { width: 400, height: 60.5 },
    { width: 1200, height: 60.5 },
    { width: 0, height: 0 },
  ])
  const outer = { width: 600, height: 300 }
  const large = { x: 100, y: -20.5, ...sizeOf(xml(1300)) }
  const small = { x: 100, y: -20.5, ...sizeOf(xml(500)) }
  expect(fittingBox(small, outer, sizeOf(xml(1300))).width).toBe(fittingBox(large, outer).width)
  expect(fittingBox(small, outer).width).toBeLessThan(fittingBox(large, outer).width)
})
