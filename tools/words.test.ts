import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('[26.13] a refund has one word on every screen and in every message; bills of the payment platforms keep their own', () => {
  const files = globSync(['web/src/**/*.{ts,tsx}', 'contract/src/**/*.ts', 'server/src/modules/**/*.ts', 'server/seed/**/*.ts'], {
    cwd: root,
  })
  expect(files.length).toBeGreaterThan(1000)
  const mixed = files.filter(
    file =>
      !file.startsWith(join('server', 'src', 'modules', 'pay', 'providers')) && readFileSync(join(root, file), 'utf8').includes('退款'),
  )
  expect(mixed).toEqual([])
})
