import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DrawKey, drawStream, type Hmac, shuffle } from './draw.ts'
import { capacityOf, checkRooms, type Room, seatsOf } from './room.ts'
import { allocateAtSites, allocateSeats, type SeatingMode, type SeatingPlan, type Sitter, seatingModes } from './seating.ts'

const hmac: Hmac = (key, data) => createHmac('sha256', key).update(data).digest()
const seed = createHash('sha256').update('a seed for tests').digest()
const key = { seed, examId: '1900000000000000001', itemGroup: '01', version: 1 }

const room = (index: number, more: Partial<Room> = {}): Room => ({
  siteCode: '01',
  roomNo: String(index).padStart(3, '0'),
  rows: 6,
  cols: 5,
  ...more,
})
const roomList = (count: number, more: Partial<Room> = {}): Room[] => Array.from({ length: count }, (_, i) => room(i + 1, more))
const people = (count: number, codeOf: (i: number) => string = i => `P${i % 12}`): Sitter[] =>
  Array.from({ length: count }, (_, i) => ({ signupId: `s${i}`, signNo: `202603${String(i + 1).padStart(8, '0')}`, code: codeOf(i) }))
const plan = (sitters: readonly Sitter[], rooms: readonly Room[], version = 1): SeatingPlan => {
  const result = allocateSeats(sitters, rooms, { ...key, version }, hmac)
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result)}`)
  return result
}
const perRoom = (result: SeatingPlan): number[] => {
  const counts = new Map<string, number>()
  for (const { siteCode, roomNo } of result.placements) counts.set(siteCode + roomNo, (counts.get(siteCode + roomNo) ?? 0) + 1)
  return [...counts.values()]
}

describe('rooms', () => {
  it('number their seats as a snake of columns, or row by row, and leave disabled seats out', () => {
    const order = (layout: 'S' | 'Z') =>
      seatsOf(room(1, { rows: 3, cols: 2, layout, disabled: ['r2c2'] })).map(s => `${s.seatNo}:r${s.row}c${s.col}`)
    expect(order('S')).toEqual(['1:r1c1', '2:r2c1', '3:r3c1', '4:r3c2', '5:r1c2'])
    expect(order('Z')).toEqual(['1:r1c1', '2:r1c2', '3:r2c1', '4:r3c1', '5:r3c2'])
    expect(capacityOf(room(1, { disabled: ['r6c5'], spare: 1 }))).toBe(28)
  })

  it('are refused by name when they cannot be numbered', () => {
    const rooms = [
      room(1, { siteCode: '90' }),
      room(0),
      room(2, { rows: 10, cols: 10 }),
      room(3, { disabled: ['r7c1'] }),
      room(4, { spare: 31 }),
      room(5, { rows: 0 }),
      room(5),
    ]
    expect(checkRooms(rooms).map(({ roomNo, problem }) => [roomNo, problem])).toEqual([
      ['001', 'site-code'],
      ['000', 'room-no'],
      ['002', 'too-many-seats'],
      ['003', 'disabled'],
      ['004', 'spare'],
      ['005', 'size'],
      ['005', 'duplicate'],
    ])
    expect(allocateSeats(people(1), rooms, key, hmac)).toMatchObject({ ok: false, reason: 'rooms' })
  })
})

describe('draw', () => {
  it('is fixed by the seed, the exam, the group and the version', () => {
    const list = Array.from({ length: 20 }, (_, i) => i)
    const draw = (more: Partial<DrawKey>) => shuffle(list, drawStream(hmac, { ...key, ...more }))
    expect(draw({})).toEqual(draw({}))
    const others: Partial<DrawKey>[] = [{ version: 2 }, { itemGroup: '02' }, { examId: '1' }, { seed: new Uint8Array(32) }]
    for (const other of others) expect(draw(other)).not.toEqual(draw({}))
    expect([...draw({})].sort((a, b) => a - b)).toEqual(list)
  })

  it('can be recomputed from the published rule alone', () => {
    const bytes = createHmac('sha256', seed).update('1900000000000000001|01|1|0').digest()
    const next = drawStream(hmac, key)
    expect([next(0x1_0000_0000), next(10), next(7)]).toEqual([bytes.readUInt32BE(0), bytes.readUInt32BE(4) % 10, bytes.readUInt32BE(8) % 7])
  })

  it('gives every place about equally often', () => {
    const next = drawStream(hmac, key)
    const hits = [0, 0, 0, 0, 0, 0]
    for (let i = 0; i < 60_000; i++) {
      const place = next(6)
      hits[place] = (hits[place] ?? 0) + 1
    }
    for (const hit of hits) expect(Math.abs(hit - 10_000)).toBeLessThan(500)
  })
})

describe('scenario 17: seat allotment', () => {
  const sitters = people(1234)
  const result = plan(sitters, roomList(42))

  it('places all, no seat twice, 26 seats stay free', () => {
    expect(result.placements).toHaveLength(1234)
    expect(new Set(result.placements.map(p => p.signupId)).size).toBe(1234)
    expect(new Set(result.placements.map(p => `${p.siteCode}-${p.roomNo}-${p.seatNo}`)).size).toBe(1234)
    expect([result.free, result.capacity, result.roomsUsed]).toEqual([26, 1260, 42])
  })

  it('gives the same plan for the same seed, whatever the order of the input', () => {
    expect(plan([...sitters].reverse(), roomList(42))).toEqual(result)
    expect(plan(sitters, roomList(42), 2).placements).not.toEqual(result.placements)
  })

  it('balances the last two rooms instead of leaving four alone', () => {
    expect(perRoom(result).slice(-3)).toEqual([30, 17, 17])
    expect(perRoom(plan(people(40), roomList(2)))).toEqual([30, 10])
    expect(perRoom(plan(people(39), roomList(2)))).toEqual([20, 19])
    expect(perRoom(plan(people(4), roomList(2)))).toEqual([4])
  })

  it('names the shortage: 41 rooms lack four seats', () => {
    expect(allocateSeats(sitters, roomList(41), key, hmac)).toEqual({ ok: false, reason: 'shortage', shortage: 4, capacity: 1230 })
  })

  it('keeps neighbours of one post at or below 1 % when the largest post fills 40 % of a room', () => {
    const skewed = plan(
      people(1234, i => (i % 5 < 2 ? 'BIG' : `P${i % 17}`)),
      roomList(42),
    )
    expect(skewed.conflicts.length / skewed.placements.length).toBeLessThanOrEqual(0.01)
    expect(result.conflicts).toEqual([])
  })

  it('counts the conflicts that cannot be avoided', () => {
    const alone = plan(
      people(4, () => 'ONE'),
      [room(1, { rows: 2, cols: 2 })],
    )
    expect(alone.conflicts).toHaveLength(4)
    const related = people(4, i => `P${i}`).map((sitter, i) => (i < 2 ? { ...sitter, relatedKeys: ['王-文三路'] } : sitter))
    expect(plan(related, [room(1, { rows: 2, cols: 2 })]).conflicts).toEqual([])
  })
})

describe('rules of filling', () => {
  it('keeps spare and disabled seats free', () => {
    const rooms = roomList(2, { rows: 2, cols: 5, disabled: ['r1c1'], spare: 2 })
    const result = plan(people(14), rooms)
    expect(perRoom(result)).toEqual([7, 7])
    expect(Math.max(...result.placements.map(p => p.seatNo))).toBe(7)
    expect(result.placements.some(p => p.row === 1 && p.col === 1)).toBe(false)
  })

  it('seats people with accessibility needs in accessible rooms, the lowest floor first, and fills those rooms', () => {
    const sitters = people(70).map((sitter, i) => (i < 32 ? { ...sitter, needsAccess: true } : sitter))
    const rooms = [room(1, { floor: 2 }), room(2, { floor: 3, accessible: true }), room(3, { floor: 1, accessible: true })]
    const result = plan(sitters, rooms)
    const roomsOf = (needsAccess: boolean) => {
      const ids = new Set(sitters.filter(sitter => (sitter.needsAccess ?? false) === needsAccess).map(sitter => sitter.signupId))
      return [...new Set(result.placements.filter(p => ids.has(p.signupId)).map(p => p.roomNo))].sort()
    }
    expect(roomsOf(true)).toEqual(['002', '003'])
    expect(roomsOf(false)).toEqual(['001', '002'])
    expect(result.withoutAccess).toEqual([])
    const short = plan(sitters, [room(1), room(2), room(3, { accessible: true, spare: 1 })])
    expect(short.withoutAccess).toHaveLength(3)
    expect(short.placements).toHaveLength(70)
  })

  it('fills site by site', () => {
    const rooms = [room(1, { siteCode: '02' }), room(1), room(2, { siteCode: '02' })]
    const order = plan(people(75), rooms).placements.map(p => p.siteCode + p.roomNo)
    expect([...new Set(order)]).toEqual(['02001', '02002', '01001'])
  })

  it('places everybody exactly once on a usable seat, whatever the rooms', () => {
    const anyRoom = fc.record({
      rows: fc.integer({ min: 1, max: 8 }),
      cols: fc.integer({ min: 1, max: 8 }),
      spare: fc.integer({ min: 0, max: 1 }),
      layout: fc.constantFrom('S' as const, 'Z' as const),
      accessible: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(anyRoom, { minLength: 1, maxLength: 6 }), fc.nat(200), fc.nat(9), (shapes, count, every) => {
        const rooms = shapes.map((shape, i) => room(i + 1, shape))
        const sitters = people(count, i => `P${i % 5}`).map((s, i) => (i % (every + 3) === 0 ? { ...s, needsAccess: true } : s))
        const capacity = rooms.reduce((sum, one) => sum + capacityOf(one), 0)
        const result = allocateSeats(sitters, rooms, key, hmac)
        if (count > capacity) {
          expect(result).toEqual({ ok: false, reason: 'shortage', shortage: count - capacity, capacity })
          return
        }
        if (!result.ok) throw new Error('refused')
        expect(new Set(result.placements.map(p => p.signupId)).size).toBe(count)
        expect(new Set(result.placements.map(p => `${p.roomNo}-${p.seatNo}`)).size).toBe(count)
        const usable = new Map(rooms.map(one => [one.roomNo, capacityOf(one)]))
        for (const p of result.placements) expect(p.seatNo).toBeLessThanOrEqual(usable.get(p.roomNo) ?? 0)
        const accessible = new Set(rooms.filter(one => one.accessible).map(one => one.roomNo))
        const without = new Set(result.withoutAccess)
        const needing = new Set(sitters.filter(s => s.needsAccess && !without.has(s.signupId)).map(s => s.signupId))
        for (const p of result.placements) if (needing.has(p.signupId)) expect(accessible.has(p.roomNo)).toBe(true)
      }),
    )
  })
})

describe('a further group of papers', () => {
  const rooms = [room(1), room(1, { siteCode: '02' }), room(2, { siteCode: '02' })]
  const sitters = people(80)
  const first = plan(sitters.slice(0, 70), rooms)
  const siteOf = new Map(first.placements.map(p => [p.signupId, p.siteCode]))

  it('keeps everybody at the site of the earlier one', () => {
    const result = allocateAtSites([...sitters].reverse(), siteOf, rooms, key, hmac)
    expect(result).toEqual(allocateAtSites(sitters, siteOf, rooms, key, hmac))
    if (!result.ok) throw new Error('refused')
    expect(new Set(result.placements.map(p => `${p.siteCode}-${p.roomNo}-${p.seatNo}`)).size).toBe(80)
    expect(result.placements.filter(p => (siteOf.get(p.signupId) ?? '02') !== p.siteCode)).toEqual([])
    expect([result.free, result.capacity]).toEqual([10, 90])
  })

  it('is refused when a site is too small, though another has seats', () => {
    const fewer = [room(1, { rows: 5 }), ...rooms.slice(1)]
    expect(allocateAtSites(sitters.slice(0, 70), siteOf, fewer, key, hmac)).toEqual({
      ok: false,
      reason: 'shortage',
      shortage: 5,
      capacity: 85,
    })
    expect(allocateAtSites(people(91), new Map(), rooms, key, hmac)).toMatchObject({ ok: false, shortage: 1 })
    expect(allocateAtSites(sitters, siteOf, [room(0)], key, hmac)).toMatchObject({ ok: false, reason: 'rooms' })
  })
})

describe('modes', () => {
  const inMode = (sitters: readonly Sitter[], rooms: readonly Room[], mode: SeatingMode): SeatingPlan => {
    const result = allocateSeats(sitters, rooms, key, hmac, mode)
    if (!result.ok) throw new Error(`refused: ${JSON.stringify(result)}`)
    return result
  }
  const codesByRoom = (sitters: readonly Sitter[], { placements }: SeatingPlan): string[][] => {
    const codeOf = new Map(sitters.map(sitter => [sitter.signupId, sitter.code]))
    return [...Map.groupBy(placements, place => place.roomNo).values()].map(places => [
      ...new Set(places.map(place => codeOf.get(place.signupId) ?? '')),
    ])
  }

  it('[S7.39] post: each post sits together, and one that fills a room has it alone', () => {
    const sitters = people(60, i => (i % 2 === 0 ? 'A' : 'B'))
    const made = inMode(sitters, roomList(2), 'post')
    expect(codesByRoom(sitters, made)).toEqual([['A'], ['B']])
    expect(made.conflicts).toEqual([])
  })

  it('[S7.39] code and unit: posts and units are spread evenly over the rooms and parted', () => {
    const sitters = people(60, i => (i < 20 ? 'A' : i < 40 ? 'B' : 'C')).map(sitter => ({
      ...sitter,
      unit: { A: 'U1', B: 'U2', C: 'U3' }[sitter.code] ?? '',
    }))
    const counts = ({ placements }: SeatingPlan, of: (sitter: Sitter) => string) => {
      const byId = new Map(sitters.map(sitter => [sitter.signupId, of(sitter)]))
      return [...Map.groupBy(placements, place => place.roomNo).values()].map(places =>
        Object.fromEntries([...Map.groupBy(places, place => byId.get(place.signupId) ?? '')].map(([name, list]) => [name, list.length])),
      )
    }
    const byCode = inMode(sitters, roomList(2), 'code')
    expect(counts(byCode, sitter => sitter.code)).toEqual([
      { A: 10, B: 10, C: 10 },
      { A: 10, B: 10, C: 10 },
    ])
    expect(byCode.conflicts).toEqual([])
    const byUnit = inMode(sitters, roomList(2), 'unit')
    expect(counts(byUnit, sitter => sitter.unit ?? '')).toEqual([
      { U1: 10, U2: 10, U3: 10 },
      { U1: 10, U2: 10, U3: 10 },
    ])
    expect(byUnit.conflicts).toEqual([])
    // Two of three of one unit cannot all be parted: what is left is named by what it is.
    const crowded = people(30, i => `P${i}`).map((sitter, i) => ({ ...sitter, unit: i < 25 ? 'U1' : 'U2' }))
    expect(new Set(inMode(crowded, roomList(1), 'unit').conflicts.map(conflict => conflict.why))).toEqual(new Set(['unit']))
  })

  it('[S7.39] one school class or one household is parted, and what stays is listed with its seats', () => {
    const mates = people(3, i => `P${i}`).map(sitter => ({ ...sitter, relatedKeys: ['class|x'] }))
    const { conflicts } = inMode(mates, [room(1, { rows: 1, cols: 3 })], 'random')
    expect(conflicts.map(({ roomNo, seats, why }) => ({ roomNo, seats, why }))).toEqual([
      { roomNo: '001', seats: [1, 2], why: 'related' },
      { roomNo: '001', seats: [2, 3], why: 'related' },
    ])
  })

  it('[S7.39] the same seed, list and mode give the same plan', () => {
    for (const mode of seatingModes) {
      const sitters = people(100).map((sitter, i) => ({ ...sitter, unit: `U${i % 3}` }))
      expect(inMode([...sitters].reverse(), roomList(4), mode)).toEqual(inMode(sitters, roomList(4), mode))
    }
  })
})
