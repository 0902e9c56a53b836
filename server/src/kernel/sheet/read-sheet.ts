import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SHEET_LIMITS, type SheetEnd, type SheetLimits, type SheetPlace, type SheetProblem, type SheetRow } from './cell.ts'
import type { ReadAnswer, ReadOrder } from './read-child.ts'

export interface ReadSheetOptions extends Partial<SheetLimits> {
  /** Position from 0 or name; default the first visible sheet. A sheet that is not there has no rows. */
  readonly sheet?: number | string
  /** Told before the first row. */
  readonly onPlace?: (place: SheetPlace) => void
  readonly signal?: AbortSignal
}

export interface SheetRefusal {
  readonly problem: SheetProblem
  /** For the log, never for the user: the parser's own words. */
  readonly detail: string
}

/**
 * Reads one sheet of an xlsx workbook in a child process without network, write access or environment, in batches of 500 rows, in their order:
 * one is read while `onRows` is busy with the last, and no more. Wholly empty rows are left out. An error of `onRows` ends the reading and is thrown.
 */
export async function streamSheet(
  path: string,
  options: ReadSheetOptions,
  onRows: (rows: readonly SheetRow[]) => void | Promise<void>,
): Promise<({ readonly rowCount: number } & SheetEnd) | SheetRefusal> {
  const { sheet, onPlace, signal, ...overrides } = options
  if (signal?.aborted) return { problem: 'cancelled', detail: '' }
  const limits: SheetLimits = { ...SHEET_LIMITS, ...overrides }
  const child = startReader(limits)
  let rowCount = 0
  let hasEnded = false
  let work = Promise.resolve()
  try {
    return await new Promise((resolve, reject) => {
      const refuse = (problem: SheetProblem, detail = '') => resolve({ problem, detail })
      const timer = setTimeout(() => refuse('timeout'), limits.timeoutMs)
      signal?.addEventListener('abort', () => refuse('cancelled'), { once: true })
      let stderr = ''
      child.stderr?.on('data', chunk => {
        stderr = (stderr + String(chunk)).slice(-2_000)
      })
      child.once('error', reject)
      child.once('close', code => {
        clearTimeout(timer)
        if (hasEnded) return
        // An answer that ends the reading has settled the promise before; what is left is a process that died on the way.
        if (/heap out of memory|allocation failed/i.test(stderr)) refuse('memory', stderr)
        else reject(new Error(`the sheet reader ended with code ${code}: ${stderr}`))
      })
      child.on('message', (message: ReadAnswer) => {
        if (message.kind === 'problem') refuse(message.problem, message.detail)
        else if (message.kind === 'end') {
          hasEnded = true
          const { end } = message
          void work.then(() => resolve({ rowCount, ...end }))
        } else if (message.kind === 'place') onPlace?.(message.place)
        else {
          rowCount += message.rows.length
          work = work.then(async () => {
            await onRows(message.rows)
            // One that died meanwhile is told of by its end.
            if (child.connected) child.send('next', () => {})
          })
          work.catch(reject)
        }
      })
      const order: ReadOrder = { path, limits, ...(sheet === undefined ? {} : { sheet }) }
      child.send(order)
    })
  } finally {
    child.kill('SIGKILL')
  }
}

/** Like {@link streamSheet}, all rows at once; for workbooks of some thousand rows. */
export async function readSheet(
  path: string,
  options: ReadSheetOptions = {},
): Promise<{ readonly rows: readonly SheetRow[] } | SheetRefusal> {
  const rows: SheetRow[] = []
  const outcome = await streamSheet(path, options, batch => {
    for (const row of batch) rows.push(row)
  })
  return 'problem' in outcome ? outcome : { rows }
}

function startReader(limits: SheetLimits): ChildProcess {
  const { SystemRoot } = process.env
  return fork(fileURLToPath(new URL('./read-child.ts', import.meta.url)), [], {
    serialization: 'advanced',
    execArgv: [
      `--max-old-space-size=${limits.maxMemoryMb}`,
      // It reads a row and forgets it: a heap that may double before it is swept would be twice the memory for nothing.
      ...['--max-semi-space-size=4', '--heap-growing-percent=80', '--optimize-for-size'],
      ...['--permission', '--allow-fs-read=*', '--disable-warning=SecurityWarning'],
    ],
    // Secrets of the server live in its environment; Windows alone needs one variable to start a process.
    env: SystemRoot ? { SystemRoot } : {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}
