import { describe, expect, test } from 'vitest'
import { waitText } from './wait-text.ts'

describe('how long somebody waits, in words', () => {
  test.each([
    [0, '预计不到 1 分钟', 'less than a minute'],
    [59, '预计不到 1 分钟', 'less than a minute'],
    [60, '预计约 1 分钟', 'about 1 minute'],
    [61, '预计约 2 分钟', 'about 2 minutes'],
    [3_599, '预计约 1 小时', 'about 1 hour'],
    [3_600 + 61, '预计约 1 小时 5 分钟', 'about 1 h 5 min'],
    [7_100, '预计约 2 小时', 'about 2 hours'],
    [undefined, '等待时间暂时无法估计', 'the time cannot be told just now'],
  ])('%s seconds', (seconds, zh, en) => {
    expect([waitText(seconds, 'zh'), waitText(seconds, 'en')]).toEqual([zh, en])
  })
})
