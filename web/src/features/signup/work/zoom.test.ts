import { describe, expect, it } from 'vitest'
import { fitScale, fitted, maxScale, minScale, movedBy, zoomAt } from './zoom.ts'

const room = { width: 400, height: 300 }

describe('the picture viewer', () => {
  it.each([
    [{ width: 800, height: 300 }, 0, 0.5],
    [{ width: 800, height: 300 }, 1, 0.375],
    [{ width: 100, height: 100 }, 0, 1],
    [{ width: 0, height: 0 }, 0, 1],
  ])('fits %j after %d turns at %d', (picture, turn, scale) => expect(fitScale(picture, room, turn)).toBe(scale))

  it('zooms around the point under the pointer', () => {
    const view = zoomAt({ scale: 1, x: 0, y: 0, turn: 0 }, 2, 50, -20)
    expect(view).toEqual({ scale: 2, x: -50, y: 20, turn: 0 })
    // The point that lay at 50 right of the middle lies there still.
    expect([50 * 2 + view.x, -20 * 2 + view.y]).toEqual([50, -20])
  })

  it('stays within its bounds', () => {
    const view = fitted({ width: 100, height: 100 }, room, 0)
    expect([zoomAt(view, 1000).scale, zoomAt(view, 0.0001).scale]).toEqual([maxScale, minScale])
  })

  it('never loses the picture out of sight', () => {
    const view = movedBy({ scale: 1, x: 0, y: 0, turn: 0 }, 10_000, -10_000, { width: 200, height: 100 }, room)
    expect([view.x, view.y]).toEqual([260, -160])
  })
})
