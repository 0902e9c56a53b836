import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { needProgram } from '../support/debian.ts'
import { operateCommand } from '../support/operate-docs.ts'

let t: TestApp
beforeAll(async () => {
  needProgram('promtool', 'prometheus')
  t = await startTestApp()
  // As in a real process.
  t.app.metrics.addProcess()
})
afterAll(() => t.close())

test('Prometheus’s own tool finds nothing wrong with the numbers', async () => {
  await (await t.tenant()).staff('admin').then(admin => admin.get('/blade-system/param/list'))
  const { body } = await t.app.server.inject({ method: 'GET', url: '/metrics' })
  const said = execFileSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8', stdio: 'pipe' })

  expect(body).toContain('kaopu_http_request_duration_seconds_bucket')
  expect(said).toBe('')
})

test('Prometheus’s own tool takes the rules', () => {
  expect(execFileSync('sh', ['-euc', operateCommand('watch-rules')], { encoding: 'utf8' })).toMatch(/SUCCESS: 19 rules found/)
})
