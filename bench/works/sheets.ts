import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'
import type { Call } from '../load.ts'
import { cpuDuring } from '../measure.ts'
import { childrenOf, peakMb, resetPeak, residentMb } from '../proc.ts'
import type { Figure } from '../report.ts'
import type { World } from '../seed.ts'
import { type Arena, headersOf } from './requests.ts'

interface FloorAnswer {
  readonly cpuSeconds: number
  readonly wallMs: number
  readonly peakMb: number
}
/** hucre alone, in a process of its own. */
const sheetFloor = (order: object): Promise<FloorAnswer> =>
  new Promise((done, fail) => {
    const child: ChildProcess = fork(fileURLToPath(new URL('../floor/sheet.ts', import.meta.url)), [], { execArgv: [] })
    child.once('message', answer => done(answer as FloorAnswer))
    child.once('error', fail)
    child.once('exit', code => fail(new Error(`the sheet floor ended with code ${code}`)))
    child.send(order)
  })

/** Highest memory of a process and the sheet reader it starts, together, looked at every 20 ms. */
const watchMemory = (pid: number) => {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(
      peak,
      [pid, ...childrenOf(pid)].reduce((sum, one) => sum + residentMb(one), 0),
    )
  }, 20)
  return () => {
    clearInterval(timer)
    return peak
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Reads an answer of any size without keeping it. */
const drain = (url: string, call: Call): Promise<number> =>
  new Promise((done, fail) => {
    const { hostname, port } = new URL(url)
    const sent = request({ host: hostname, port, method: call.method, path: call.path, headers: { ...call.headers } }, answer => {
      let bytes = 0
      if (answer.statusCode !== 200) fail(new Error(`${call.path} answered ${answer.statusCode}`))
      answer.on('data', (part: Buffer) => {
        bytes += part.length
      })
      answer.on('end', () => done(bytes))
      answer.on('error', fail)
    })
    sent.on('error', fail)
    sent.end(call.body)
  })

const columnsOfExport = 40
/** State of an export job that is done; above it are the ways it can end otherwise. */
const exportDone = 4

/** Orders the workbook, waits for the job that writes it where it is a large one, and fetches it. @returns bytes */
const orderExport = async ({ client, program }: Arena['product'], world: World): Promise<number> => {
  const headers = headersOf(world.staff)
  const ordered = await client.send({
    method: 'POST',
    path: '/api/blade-signup/signup/exportSignUp',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ examId: world.examId, examine: 5 }),
  })
  if (ordered.status !== 200) throw new Error(`the export answered ${ordered.status}: ${ordered.body.toString().slice(0, 300)}`)
  // Small ones come at once, as the file itself.
  if (ordered.body.subarray(0, 2).toString() === 'PK') return ordered.body.length
  const { id } = (JSON.parse(ordered.body.toString()) as { data: { id: string } }).data
  for (;;) {
    const polled = await client.send({ method: 'GET', path: `/api/blade-exam/exportjob/detail?id=${id}`, headers })
    const { state } = (JSON.parse(polled.body.toString()) as { data: { state: number } }).data
    if (state === exportDone) break
    if (state > exportDone) throw new Error(`the export ended in state ${state}`)
    await new Promise(next => setTimeout(next, 50))
  }
  const bytes = await drain(program.url, { method: 'GET', path: `/api/blade-exam/exportjob/download?id=${id}`, headers })
  if (bytes < 100_000) throw new Error(`the workbook has only ${bytes} bytes`)
  return bytes
}

/** All who passed (half of all sign-ups) as a workbook. */
export const measureExport = async ({ product, world }: Arena): Promise<Figure[]> => {
  const rows = Math.floor(world.rows / 2)
  const { pid } = product.program
  const before = residentMb(pid)
  resetPeak(pid)
  await product.program.blockMs()
  const began = performance.now()
  const { value, server, database } = await cpuDuring(product, () => orderExport(product, world))
  const wallMs = performance.now() - began
  const grown = peakMb(pid) - before
  const blockMs = await product.program.blockMs()
  const floor = await sheetFloor({ kind: 'write', rows, columns: columnsOfExport })
  const title = `xlsx export, ${rows.toLocaleString('en')} rows`
  const scale = rows / 100_000
  return [
    {
      work: `${title}: CPU`,
      product: `${(server + database).toFixed(1)} s; server ${server.toFixed(1)}, database ${database.toFixed(1)} (${(value / 2 ** 20).toFixed(1)} MB)`,
      floor: `${floor.cpuSeconds.toFixed(1)} s (hucre, ${columnsOfExport} columns, no query)`,
      ratio: `${((server + database) / floor.cpuSeconds).toFixed(2)}×`,
      goal: '',
      met: undefined,
    },
    {
      work: `${title}: time`,
      product: seconds(wallMs),
      floor: seconds(floor.wallMs),
      ratio: '',
      goal: `≤ ${(8 * scale).toFixed(0)} s`,
      met: wallMs <= 8_000 * scale,
    },
    {
      work: `${title}: memory`,
      product: `+${grown.toFixed(0)} MB`,
      floor: `${floor.peakMb.toFixed(0)} MB in all`,
      ratio: '',
      goal: '≤ +120 MB',
      met: grown <= 120,
    },
    {
      work: `${title}: event loop`,
      product: `held up for ${blockMs.toFixed(0)} ms at most`,
      floor: '',
      ratio: '',
      goal: '≤ 50 ms',
      met: blockMs <= 50,
    },
  ]
}

const headers = ['准考证号*', '姓名*', '科目代码*', '成绩', '考试状态(正常/缺考/违纪/零分/免试)*', '加分', '备注']

/** Results of everybody who holds a ticket, checked, written and audited. */
export const measureImport = async ({ cluster, database, product, world }: Arena): Promise<Figure[]> => {
  const { rows: holders } = await database.owner.query<{ ticketNo: string; name: string }>(
    `select t.ticket_no as "ticketNo", s.name from ticket t join signup s on s.tenant_id = t.tenant_id and s.id = t.signup_id where t.item_id = $1 order by 1`,
    [world.openPaper],
  )
  const path = join(cluster.dataDir, 'results.xlsx')
  await writeSheet(path, {
    sheets: [
      {
        name: '成绩',
        columns: headers.map(header => ({ header })),
        rows: holders.map((one, i) => [one.ticketNo, one.name, '01', String(40 + (i % 60)), '正常', '', '']),
      },
    ],
  })
  const boundary = randomUUID()
  const field = (name: string, text: string): Buffer =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
  const body = Buffer.concat([
    ...[field('examId', world.examId), field('itemId', world.openPaper), field('mode', 'commit')],
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="results.xlsx"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    ...[await readFile(path), Buffer.from(`\r\n--${boundary}--\r\n`)],
  ])
  const { pid } = product.program
  const before = residentMb(pid)
  await product.program.blockMs()
  const stopWatching = watchMemory(pid)
  const began = performance.now()
  const run = async (): Promise<void> => {
    const answer = await product.client.send({
      method: 'POST',
      path: '/api/blade-exam/examination/importResult',
      headers: { ...headersOf(world.staff), 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': randomUUID() },
      body,
    })
    if (answer.status !== 200) throw new Error(`the import answered ${answer.status}: ${answer.body.toString().slice(0, 300)}`)
    const id = (JSON.parse(answer.body.toString()) as { data: { importId: string } }).data.importId
    for (;;) {
      const polled = await product.client.send({
        method: 'GET',
        path: `/api/blade-exam/importjob/detail?id=${id}`,
        headers: headersOf(world.staff),
      })
      const job = (
        JSON.parse(polled.body.toString()) as {
          data: { state: number; inserted: number; problem: string | null; errors: readonly unknown[] }
        }
      ).data
      if (job.state === 4 && job.inserted === holders.length) return
      if (job.state >= 4)
        throw new Error(
          `the import ended in state ${job.state} with ${job.inserted} rows: ${job.problem} ${JSON.stringify(job.errors.slice(0, 2))}`,
        )
      await new Promise(next => setTimeout(next, 50))
    }
  }
  const { server, database: databaseCpu } = await cpuDuring(product, run).finally(stopWatching)
  const wallMs = performance.now() - began
  const peak = stopWatching()
  const blockMs = await product.program.blockMs()
  const floor = await sheetFloor({ kind: 'read', path })
  const title = `xlsx import, ${holders.length.toLocaleString('en')} results`
  const scale = Math.max(0.1, holders.length / 100_000)
  return [
    {
      work: `${title}: CPU`,
      product: `${(server + databaseCpu).toFixed(1)} s; server ${server.toFixed(1)}, database ${databaseCpu.toFixed(1)}`,
      floor: `${floor.cpuSeconds.toFixed(1)} s (hucre reading the file)`,
      ratio: `${((server + databaseCpu) / floor.cpuSeconds).toFixed(2)}×`,
      goal: '',
      met: undefined,
    },
    {
      work: `${title}: time`,
      product: seconds(wallMs),
      floor: seconds(floor.wallMs),
      ratio: '',
      goal: `≤ ${(10 * scale).toFixed(0)} s`,
      met: wallMs <= 10_000 * scale,
    },
    {
      work: `${title}: memory of server and reader`,
      product: `${peak.toFixed(0)} MB (+${(peak - before).toFixed(0)} MB)`,
      floor: `${floor.peakMb.toFixed(0)} MB`,
      ratio: '',
      goal: '≤ 300 MB',
      met: peak <= 300,
    },
    {
      work: `${title}: event loop`,
      product: `held up for ${blockMs.toFixed(0)} ms at most`,
      floor: '',
      ratio: '',
      goal: '',
      met: undefined,
    },
  ]
}
