import { afterEach, describe, expect, test } from 'vitest'
import { toWireTime } from '../kernel/when.ts'
import { nextOfCron, parseCron } from './cron.ts'

const at = (text: string) => new Date(`${text.replace(' ', 'T')}+08:00`)
const times = (text: string, after = '2026-03-02 09:00:00', count = 3): string[] => {
  const cron = parseCron(text)
  if ('why' in cron) throw new Error(cron.why.en)
  const found: string[] = []
  for (let next = nextOfCron(cron, at(after)); next !== undefined && found.length < count; next = nextOfCron(cron, next))
    found.push(toWireTime(next))
  return found
}

describe('[S5.11] cron as Quartz writes it', () => {
  test.each<[string, string[]]>([
    ['0 0 12 * * ?', ['2026-03-02 12:00:00', '2026-03-03 12:00:00', '2026-03-04 12:00:00']],
    ['*/20 * * * * *', ['2026-03-02 09:00:20', '2026-03-02 09:00:40', '2026-03-02 09:01:00']],
    ['0 0/30 8-10 * * ?', ['2026-03-02 09:30:00', '2026-03-02 10:00:00', '2026-03-02 10:30:00']],
    ['0 15 10 ? * MON-FRI', ['2026-03-02 10:15:00', '2026-03-03 10:15:00', '2026-03-04 10:15:00']],
    // Sunday is 1.
    ['0 0 0 ? * 1', ['2026-03-08 00:00:00', '2026-03-15 00:00:00', '2026-03-22 00:00:00']],
    ['0 0 0 L * ?', ['2026-03-31 00:00:00', '2026-04-30 00:00:00', '2026-05-31 00:00:00']],
    ['0 0 0 L-2 * ?', ['2026-03-29 00:00:00', '2026-04-28 00:00:00', '2026-05-29 00:00:00']],
    // The 15th of March is a Sunday, the 15th of August a Saturday, the 1st of August a Saturday, 31 May a Sunday.
    ['0 0 0 15W 3,8 ?', ['2026-03-16 00:00:00', '2026-08-14 00:00:00', '2027-03-15 00:00:00']],
    ['0 0 0 1W 8 ?', ['2026-08-03 00:00:00', '2027-08-02 00:00:00', '2028-08-01 00:00:00']],
    ['0 0 0 LW * ?', ['2026-03-31 00:00:00', '2026-04-30 00:00:00', '2026-05-29 00:00:00']],
    ['0 0 0 ? * 6#3', ['2026-03-20 00:00:00', '2026-04-17 00:00:00', '2026-05-15 00:00:00']],
    ['0 0 0 ? * 6L', ['2026-03-27 00:00:00', '2026-04-24 00:00:00', '2026-05-29 00:00:00']],
    ['0 0 0 29 2 ?', ['2028-02-29 00:00:00', '2032-02-29 00:00:00', '2036-02-29 00:00:00']],
    ['0 0 0 1 1 ? 2027-2028', ['2027-01-01 00:00:00', '2028-01-01 00:00:00']],
    ['0 0 22-1 * * ?', ['2026-03-02 22:00:00', '2026-03-02 23:00:00', '2026-03-03 00:00:00']],
    // Both given: a day that fits either.
    ['0 0 0 4 * TUE', ['2026-03-03 00:00:00', '2026-03-04 00:00:00', '2026-03-10 00:00:00']],
    ['59 59 23 31 DEC ?', ['2026-12-31 23:59:59', '2027-12-31 23:59:59', '2028-12-31 23:59:59']],
  ])('%s', (text, expected) => expect(times(text)).toEqual(expected))

  test('a time is strictly later than the instant it follows', () => {
    expect(times('0 0 9 * * ?', '2026-03-02 09:00:00', 1)).toEqual(['2026-03-03 09:00:00'])
    expect(times('0 0 9 * * ?', '2026-03-02 08:59:59', 1)).toEqual(['2026-03-02 09:00:00'])
  })

  test('a day that no year has never comes', () => expect(times('0 0 0 30 2 ?')).toEqual([]))

  test.each<[string, string]>([
    ['', '6 or 7 parts'],
    ['* * * * *', '6 or 7 parts'],
    ['0 0 0 * * ? 2026 1', '6 or 7 parts'],
    ['60 * * * * ?', 'second part'],
    ['0 0 24 * * ?', 'hour part'],
    ['0 0 0 0 * ?', 'day part'],
    ['0 0 0 32 * ?', 'day part'],
    ['0 0 0 L-40 * ?', 'day part'],
    ['0 0 0 * 13 ?', 'month part'],
    ['0 0 0 * FOO ?', 'month part'],
    ['0 0 0 ? * 8', 'weekday part'],
    ['0 0 0 ? * 6#6', 'weekday part'],
    ['0 0 0 * * ? 1969', 'year part'],
    ['0 0 0 * * ? 2028-2027', 'year part'],
    ['0/0 * * * * ?', 'second part'],
    ['1-2-3 * * * * ?', 'second part'],
    ['0 1,,2 * * * ?', 'minute part'],
    ['0 -1 * * * ?', 'minute part'],
    ['$(id) * * * * ?', 'second part'],
  ])('%j is none, and it is said where', (text, where) => {
    const cron = parseCron(text)
    expect('why' in cron ? cron.why.en : 'a cron').toContain(where)
  })

  describe('the zone of the machine has no say', () => {
    const zone = process.env['TZ']
    afterEach(() => {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    })
    test.each(['America/New_York', 'Europe/Berlin', 'Pacific/Apia'])('%s, over both changes of its clock', name => {
      process.env['TZ'] = name
      const every = times('0 30 * * * ?', '2026-03-07 00:00:00', 24 * 60)
      expect(new Set(every).size).toBe(24 * 60)
      expect(every.at(-1)).toBe('2026-05-05 23:30:00')
      const autumn = times('0 30 2 * * ?', '2026-10-20 00:00:00', 20)
      expect(autumn).toEqual([...Array(20).keys()].map(n => toWireTime(new Date(at('2026-10-20 02:30:00').getTime() + n * 86_400_000))))
    })
  })
})
