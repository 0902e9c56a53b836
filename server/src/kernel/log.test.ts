import { expect, test } from 'vitest'
import { createLog } from './log.ts'

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
