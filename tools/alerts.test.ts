import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const rules = read('docs/operate/alerts.yml')
const page = read('docs/operate/watch.md')
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

test('alerts › each rule has its section in the paper and names it, and each section has its rule', () => {
  const sections = [...page.matchAll(/^### (\w+)\n(.*)$/gm)].flatMap(([, name = '', text = '']) => (text.length > 40 ? [name] : []))
  const named = [...rules.matchAll(/runbook: "watch\.md#(\w+)"/g)].map(([, anchor]) => anchor)

  expect(alerts.length).toBeGreaterThan(10)
  expect(sections).toEqual(alerts)
  expect(named).toEqual(alerts.map(name => name.toLowerCase()))
})

test('alerts › each metric of a rule is one that the program has, and each of these stands in the paper', () => {
  const declared = new Set(
    [
      ...read('server/src/metrics.ts').matchAll(/name: '(kaopu_\w+)'/g),
      ...read('server/src/kernel/metrics.ts').matchAll(/name: '(kaopu_\w+)'/g),
    ].map(([, name = '']) => name),
  )
  const plain = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '')
  const used = [...rules.matchAll(/^ +expr: (.+)$/gm)].flatMap(([, expr = '']) =>
    [...expr.matchAll(/\bkaopu_\w+/g)].map(([name]) => plain(name)),
  )

  expect(declared.size).toBeGreaterThan(15)
  expect([...new Set(used)].filter(name => !declared.has(name))).toEqual([])
  expect([...declared].filter(name => !page.includes(`\`${name}`))).toEqual([])
})
