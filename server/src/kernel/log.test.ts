import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { withTrace } from './trace.ts'

test('a failure of the database is logged without the row, the phone or the id number it quotes', () => {
  const lines: string[] = []
  const log = createLog('error', { write: line => void lines.push(line) })
  const failure = Object.assign(new Error('value "330106199003077512" is out of range; key 13800138000'), {
    code: '23502',
    table: 'account',
    detail: 'Failing row contains (000000, 张三, 13800138000).',
    where: 'unnamed portal parameter $1 = 张三',
  })
  log.error({ err: failure }, 'request failed')
  const { err } = JSON.parse(lines[0] ?? '')
  expect(err).toEqual({
    type: 'Error',
    message: 'value "[hidden]" is out of range; key [hidden]',
    stack: expect.stringContaining('log.test.ts'),
    code: '23502',
    table: 'account',
  })
  expect(lines[0]).not.toMatch(/张三|13800138000|330106199003077512/)
})

test('a line has the name of its level, the time, and the id of the request that it is about', () => {
  const lines: string[] = []
  const log = createLog('warn', { write: line => void lines.push(line) })
  withTrace('request-1', () => log.warn({ host: 'x' }, 'one'))
  log.error('two')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), traceId: 'request-1', host: 'x', msg: 'one' },
    { level: 'error', time: expect.any(String), msg: 'two' },
  ])
})
