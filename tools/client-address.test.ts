import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', 'server', 'src')
const onlyPlace = 'kernel/http/client.ts'

/** Ways to a caller's address, scheme or host that know nothing of the proxies in front. */
const shortcuts = [
  /\b(?:request|req|reply\.request)\.(?:ips?|protocol|host|hostname|port|socket)\b/,
  /\bremoteAddress\b/,
  /['"](?:x-forwarded-\w+|forwarded|x-real-ip)['"]/i,
  /\bheader\(['"]host['"]\)/i,
  /\bheaders\.host\b|\bheaders\[['"]host['"]\]/,
]

const findings = (path: string, text: string): string[] =>
  text.split('\n').flatMap((line, i) => (shortcuts.some(one => one.test(line)) ? [`${path}:${i + 1}  ${line.trim()}`] : []))

test('one function tells who calls: nothing else reads an address, a scheme or a host from a request', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== onlyPlace && !name.startsWith('demo/'))

  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap(name => findings(name, readFileSync(join(root, name), 'utf8')))).toEqual([])
})

test.each([
  'ip: request.ip,',
  "const scheme = req.protocol === 'https'",
  'request.raw.socket.remoteAddress',
  "request.headers['x-forwarded-for']",
  "ctx.header('host')",
])('%s would be found', line => {
  expect(findings('x.ts', line)).toEqual([`x.ts:1  ${line}`])
})
