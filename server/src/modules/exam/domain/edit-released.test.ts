import { describe, expect, it } from 'vitest'
import { judgeReleasedEdit } from './edit-released.ts'

const at = (text: string) => new Date(`2026-${text}+08:00`)
const now = at('03-17T10:00:00').getTime()
const before = {
  signBegin: at('03-16T09:00:00'),
  signEnd: at('03-20T17:00:00'),
  ticketBegin: at('03-24T09:00:00'),
  scoreBegin: null,
  feeFen: 10_000,
  organizer: '甲',
  managers: [],
}
const judge = (after: Record<string, unknown>) => {
  const verdict = judgeReleasedEdit(before, after, now)
  return {
    frozen: verdict.frozen.map(one => one.zh),
    shortened: verdict.shortened.map(one => one.zh),
    changes: verdict.changes.map(one => one.zh),
  }
}

describe('a change of a released examination', () => {
  it('extends a window freely and shortens it only to more than 24 hours from now', () => {
    expect(judge({ signEnd: at('03-25T17:00:00') })).toEqual({
      frozen: [],
      shortened: [],
      changes: ['报名结束时间由 2026-03-20 17:00:00 调整为 2026-03-25 17:00:00'],
    })
    expect(judge({ signEnd: at('03-18T10:00:01') }).shortened).toEqual([])
    // Which field, what is allowed, until when.
    const said = ['报名结束时间（原为 2026-03-20 17:00:00，须不早于 2026-03-18 10:01:00）']
    expect(judge({ signEnd: at('03-18T10:00:00') }).shortened).toEqual(said)
    expect(judge({ signEnd: null }).shortened).toEqual(said)
    // One that ends within a day can only move out.
    const soon = judgeReleasedEdit({ payEnd: at('03-18T09:00:00') }, { payEnd: at('03-18T08:00:00') }, now)
    expect(soon.shortened.map(one => one.zh)).toEqual(['缴费结束时间（原为 2026-03-18 09:00:00，须不早于 2026-03-18 09:00:00）'])
  })

  it('[19.9] tells an end of a day as 24:00, and a beginning never', () => {
    expect(judge({ signEnd: at('03-21T00:00:00'), ticketBegin: at('03-25T00:00:00') }).changes).toEqual([
      '报名结束时间由 2026-03-20 17:00:00 调整为 2026-03-20 24:00:00',
      '准考证下载开始时间由 2026-03-24 09:00:00 调整为 2026-03-25 00:00:00',
    ])
    const shorter = judgeReleasedEdit({ payEnd: at('03-19T00:00:00') }, { payEnd: at('03-18T08:00:00') }, now)
    expect(shorter.shortened.map(one => one.zh)).toEqual(['缴费结束时间（原为 2026-03-18 24:00:00，须不早于 2026-03-18 10:01:00）'])
  })

  it('keeps the beginning of a window that has begun, and moves one that has not', () => {
    expect(judge({ signBegin: at('03-18T09:00:00') }).frozen).toEqual(['报名开始时间'])
    expect(judge({ ticketBegin: at('03-25T09:00:00') }).frozen).toEqual([])
    expect(judge({ scoreBegin: at('04-10T09:00:00') }).changes).toEqual(['成绩发布时间由 未设置 调整为 2026-04-10 09:00:00'])
  })

  it('freezes what people relied on, tells every public change and keeps the office’s own matters out of it', () => {
    expect(judge({ feeFen: 1 }).frozen).toEqual(['报名费'])
    expect(judge({ organizer: '乙', managers: ['1'] })).toEqual({ frozen: [], shortened: [], changes: ['修改了主办单位'] })
    expect(judge({ feeFen: 10_000, signEnd: new Date(before.signEnd), organizer: '甲' })).toEqual({
      frozen: [],
      shortened: [],
      changes: [],
    })
  })
})
