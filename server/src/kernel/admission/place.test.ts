import { describe, expect, test } from 'vitest'
import { browserOf, createPlaces, ownerOf, type Place } from './place.ts'

const places = createPlaces(Buffer.alloc(32, 7))
const nowMs = Date.parse('2026-05-11T09:00:00+08:00')
const second = nowMs / 1_000
const browser = browserOf('Mozilla/5.0 (Linux; Android 14) MicroMessenger/8.0 NetType/WIFI Language/zh_CN')
const kinds: readonly Place[] = [
  { kind: 'ticket', id: 'abcDEF_-12345678', second, instance: '123456789012345678', index: 41 },
  { kind: 'pass', id: 'abcDEF_-12345678', untilSecond: second + 1, owner: ownerOf({ tenantId: '000000', userId: '9' }) },
  { kind: 'pass', id: 'abcDEF_-12345678', untilSecond: second + 1, owner: '' },
  { kind: 'staff', untilSecond: second + 1 },
  { kind: 'desk', untilSecond: second + 1 },
]

describe('a place in the queue', () => {
  test.each(kinds)('is read as it was written: %o', place => {
    expect(places.read(places.write(place, browser), browser, nowMs)).toEqual(place)
  })

  test.each(kinds)('is nothing in another browser, with a changed character, by another key, or when it is over: %o', place => {
    const text = places.write(place, browser)
    const changed = Array.from(text, (char, at) => text.slice(0, at) + (char === 'A' ? 'B' : 'A') + text.slice(at + 1))
    expect(changed.filter(one => places.read(one, browser, nowMs) !== undefined)).toEqual([])
    expect(places.read(text, browserOf('Mozilla/5.0 (iPhone)'), nowMs)).toBeUndefined()
    expect(createPlaces(Buffer.alloc(32, 8)).read(text, browser, nowMs)).toBeUndefined()
    expect(places.read(text, browser, nowMs + 13 * 3_600_000)).toBeUndefined()
  })

  test('a browser stays the same when it goes from one network to another', () => {
    expect(browserOf('Mozilla/5.0 (Linux; Android 14) MicroMessenger/8.0 NetType/5G Language/en')).toBe(browser)
    expect(browserOf('Mozilla/5.0 (Linux; Android 13) MicroMessenger/8.0 NetType/5G Language/en')).not.toBe(browser)
  })

  test.each(['', '.', 'x', 't.a.b', `${'a'.repeat(300)}.b`, 't.....'])('what is none: %s', text => {
    expect(places.read(text, browser, nowMs)).toBeUndefined()
  })
})
