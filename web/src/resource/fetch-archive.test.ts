import { beforeEach, expect, it, vi } from 'vitest'
import type { Request, Send } from '../kernel/request.ts'

type Asked = Pick<Request, 'query' | 'headers' | 'through'>
const saved: { size: number; text: string; name: string }[] = []
const asked: string[] = []
/** The archive of the server; its first byte of each part is a letter of its own. */
const size = 20 * 1024 * 1024
const partBytes = 8 * 1024 * 1024
const bytes = new Uint8Array(size).fill(46)
for (const [at, letter] of ['a', 'b', 'c'].entries()) bytes[at * partBytes] = letter.charCodeAt(0)
let line: (range: string) => 'part' | 'whole' | 'broken'

vi.mock('../kernel/save-file.ts', () => ({
  saveFile: async (content: Blob, name: string) => {
    const text = await content.text()
    saved.push({ size: content.size, text: text.replaceAll('.', ''), name })
  },
}))
vi.mock('../kernel/api.ts', () => ({
  api: {
    download: async (_: Asked, name: string) => void saved.push({ size: 0, text: 'at once', name }),
    blob: async (of: Asked) => {
      const range = of.headers?.['Range'] ?? ''
      asked.push(range)
      const [from = 0, to = 0] = /bytes=(\d+)-(\d+)/.exec(range)?.slice(1).map(Number) ?? []
      const how = line(range)
      if (how === 'broken') throw new Error('the line broke')
      const send: Send = async () => ({
        ...{ status: how === 'whole' ? 200 : 206, type: 'application/zip', disposition: null, sign: null, requestId: 'r' },
        body: new Blob([how === 'whole' ? bytes : bytes.subarray(from, to + 1)]),
      })
      const answer = await of.through?.(of as Request, null, send)
      if (answer?.status !== 200) throw new Error('the client takes no part')
      return { kind: 'file', blob: answer.body, fileName: null }
    },
  },
}))
const { fetchArchive, useFetching } = await import('./fetch-archive.ts')

beforeEach(() => {
  saved.length = 0
  asked.length = 0
  line = () => 'part'
})

it('fetches a long archive in parts and goes on where the line broke', async () => {
  const job = { id: '1', fileName: 'forms.zip', sizeBytes: size }
  line = range => (range.startsWith('bytes=8388608-') ? 'broken' : 'part')
  await fetchArchive(job)
  expect(useFetching.getState()).toEqual({ 1: { done: partBytes, size, isBroken: true } })
  expect(saved).toEqual([])
  line = () => 'part'
  await fetchArchive(job)
  expect(asked).toEqual(['bytes=0-8388607', 'bytes=8388608-16777215', 'bytes=8388608-16777215', 'bytes=16777216-20971519'])
  await vi.waitFor(() => expect(saved).toEqual([{ size, text: 'abc', name: 'forms.zip' }]))
  expect(useFetching.getState()).toEqual({})
})

it('takes the whole from what knows no parts, also after a part of it', async () => {
  const job = { id: '2', fileName: 'forms.zip', sizeBytes: size }
  line = range => (range.startsWith('bytes=0-') ? 'part' : 'whole')
  await fetchArchive(job)
  await vi.waitFor(() => expect(saved).toEqual([{ size, text: 'abc', name: 'forms.zip' }]))
})

it('leaves a short one to an ordinary download', async () => {
  await fetchArchive({ id: '3', fileName: 'few.zip', sizeBytes: 1_000 })
  await fetchArchive({ id: '4', fileName: 'unknown.zip', sizeBytes: null })
  expect(saved.map(one => [one.text, one.name])).toEqual([
    ['at once', 'few.zip'],
    ['at once', 'unknown.zip'],
  ])
  expect([asked, useFetching.getState()]).toEqual([[], {}])
})
