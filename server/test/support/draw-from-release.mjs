// Draws with a release and its own Node what its server draws, in its threads: node draw-from-release.mjs <folder of the release>. It prints what came out.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

const [release, ...names] = process.argv.slice(2)
const dist = join(release, 'server', 'dist')

const draw = async (template, input) => {
  const workerData = { templateUrl: pathToFileURL(join(dist, `${template}.mjs`)).href }
  const thread = new Worker(join(dist, 'pool-worker.mjs'), { workerData, env: {}, execArgv: [] })
  thread.postMessage({ input })
  const [{ bytes, message }] = await once(thread, 'message')
  await thread.terminate()
  return bytes === undefined ? message : Buffer.from(bytes)
}
const kindOf = result => (typeof result === 'string' ? result : result.subarray(0, 4).toString('latin1'))

const report = await draw('report-pdf', {
  title: '报表',
  bureau: '卫生健康局',
  notes: [],
  feet: [],
  heads: [['单位', '人数']],
  words: 1,
  rows: [{ cells: ['第一医院', '3'], isStrong: false }],
  pageFoot: '{page}/{pages}',
  isWide: false,
  createdAt: '2026-01-02T03:04:05.000Z',
})
const photo = readFileSync(join(release, 'server', 'seed', 'data', 'portraits', 'p01-white.jpg'))
const require = createRequire(join(dist, 'main.mjs'))
console.log(
  JSON.stringify({
    report: kindOf(report),
    stampedReport: kindOf(await draw('papers', { kind: 'stamp', type: 'pdf', bytes: report, lines: ['样本'] })),
    stampedPhoto: kindOf(await draw('papers', { kind: 'stamp', type: 'jpg', bytes: photo, lines: ['样本'] })),
    loaded: names.map(name => typeof require(name)),
  }),
)
