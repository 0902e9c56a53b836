import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLineQueue } from './queue.ts'
import { openSpool, type Spool } from './spool.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kaopu-spool-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const away = new Error('away')
const queueOf = (write: (lines: readonly number[]) => Promise<void>, { capacity = 5, spool }: { capacity?: number; spool?: Spool } = {}) =>
  createLineQueue<number>({
    ...{ capacity, batch: 2, write, onFailure: () => undefined, passes: error => error === away },
    ...{ toText: String, fromText: text => (/^\d+$/.test(text) ? Number(text) : undefined) },
    ...(spool ? { spool } : {}),
  })
/** Writes into `written`, or fails as `broken` says. */
const table = () => {
  const state = { broken: undefined as Error | undefined, written: [] as number[] }
  return {
    state,
    write: async (lines: readonly number[]) => {
      if (state.broken) throw state.broken
      state.written.push(...lines)
    },
  }
}

test('lines are written in batches in their order, each once, also when two ask at once', async () => {
  const batches: (readonly number[])[] = []
  const queue = queueOf(async lines => void batches.push(lines))
  for (const line of [1, 2, 3, 4, 5]) expect(queue.push(line)).toBe(true)
  await Promise.all([queue.flush(), queue.flush()])
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
})

test('a full queue loses what comes and counts it; a batch that no database would take is lost, the rest is written', async () => {
  const { state, write } = table()
  const queue = queueOf(async lines => {
    if (lines.includes(1)) throw new Error('a value that does not fit')
    await write(lines)
  })
  expect([1, 2, 3, 4, 5, 6, 7].map(queue.push)).toEqual([true, true, true, true, true, false, false])
  await queue.flush()
  expect([queue.lost(), state.written]).toEqual([4, [3, 4, 5]])
})

test('while the database is away lines wait on disk, and all come after it in their order', async () => {
  const { state, write } = table()
  const path = join(folder, 'lines')
  const queue = queueOf(write, { spool: await openSpool(path, 10_000) })
  state.broken = away
  for (let line = 1; line <= 40; line += 1) {
    queue.push(line)
    if (line % 4 === 0) await queue.flush()
  }
  expect((await readFile(path, 'utf8')).split('\n').slice(0, 5)).toEqual(['1', '2', '3', '4', '5'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)

  state.broken = undefined
  queue.push(41)
  await queue.flush()

  expect([queue.lost(), state.written]).toEqual([0, Array.from({ length: 41 }, (_, n) => n + 1)])
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('the disk takes no more than it may: what came first is kept, the rest is counted', async () => {
  const { state, write } = table()
  // Two digits and an end each.
  const queue = queueOf(write, { spool: await openSpool(join(folder, 'lines'), 30) })
  state.broken = away
  for (let line = 10; line < 25; line += 1) {
    queue.push(line)
    await queue.flush()
  }
  expect(queue.lost()).toBe(5)
  state.broken = undefined
  await queue.flush()
  expect(state.written).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  queue.push(25)
  await queue.flush()
  expect(state.written.at(-1)).toBe(25)
})

test('what a process left on disk is written by the next one, but for half a line', async () => {
  const { state, write } = table()
  const path = join(folder, 'lines')
  state.broken = away
  const former = queueOf(write, { spool: await openSpool(path, 1_000) })
  for (const line of [1, 2, 3]) former.push(line)
  await former.stop()
  await (await openSpool(path, 1_000)).append(['4', 'half'])
  state.broken = undefined
  const next = queueOf(write, { spool: await openSpool(path, 1_000) })
  next.push(5)
  await next.flush()
  expect([next.lost(), state.written]).toEqual([0, [1, 2, 3, 4, 5]])
})
