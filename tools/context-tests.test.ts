import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contextsOf, isOfContext, testsOfContext } from './context-tests.mjs'

const root = mkdtempSync(join(tmpdir(), 'kaopu-contexts-'))
afterAll(() => rmSync(root, { recursive: true }))

const files = [
  'contract/src/kernel/money.test.ts',
  'contract/src/pay/fee.test.ts',
  'contract/src/pay/fee.ts',
  'server/src/modules/exam/domain/exam.test.ts',
  'server/src/modules/pay/domain/post.test.ts',
  'server/test/flows/exam-pay.test.ts',
  'server/test/flows/pay/refund.test.ts',
  'server/test/flows/pay-race.test.ts',
  'server/test/flows/payroll.test.ts',
  'web/src/features/payroll/list.test.tsx',
]
for (const file of files) {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  writeFileSync(join(root, file), '')
}

test('contexts › each folder of contract, modules or features is one, the kernel is none', () => {
  expect(contextsOf(root)).toEqual(['exam', 'pay', 'payroll'])
})

test('contexts › its tests lie in its folders or have its name as a word of their own', () => {
  expect(testsOfContext(root, ['contract/src', 'server/src', 'nowhere'], 'pay')).toEqual([
    'contract/src/pay/fee.test.ts',
    'server/src/modules/pay/domain/post.test.ts',
  ])
  expect(testsOfContext(root, ['server/test', 'web/src'], 'pay')).toEqual([
    'server/test/flows/exam-pay.test.ts',
    'server/test/flows/pay-race.test.ts',
    'server/test/flows/pay/refund.test.ts',
  ])
  expect(isOfContext('e2e/portal-pay.test.ts', 'payroll')).toBe(false)
})
