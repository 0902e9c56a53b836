import { expect, test, vi } from 'vitest'
import { ApiError } from '#web/kernel/api-error.ts'
import type { upload } from '#web/kernel/upload.ts'
import type { UploadedFile } from '../wire.ts'
import { newUploadQueue } from './uploads.ts'

interface Sent {
  readonly name: string
  readonly key: string | undefined
  readonly purpose: string | undefined
  readonly finish: () => void
  readonly fail: (error: unknown) => void
}

/** A line on which each try waits for the test to end it. */
const line = () => {
  const sent: Sent[] = []
  const send = ((_path: string, file: File, options: { fields?: { purpose?: string }; idempotencyKey?: string; signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      sent.push({
        name: file.name,
        key: options.idempotencyKey,
        purpose: options.fields?.purpose,
        finish: () => resolve({ fileId: `f-${file.name}`, link: '', name: file.name, sizeBytes: 3, mime: 'image/jpeg', checks: null }),
        fail: reject,
      })
    })) as unknown as typeof upload
  return { sent, send }
}
const file = (name: string) => new File(['abc'], name, { type: 'image/jpeg' })
const turn = () => new Promise(resolve => setTimeout(resolve))

test('two files travel at once, the third when one has arrived', async () => {
  const { sent, send } = line()
  const arrived: UploadedFile[] = []
  const queue = newUploadQueue(one => arrived.push(one), send)
  for (const name of ['a', 'b', 'c']) queue.add('diploma', file(name), false)
  expect(sent.map(one => one.name)).toEqual(['a', 'b'])
  sent[0]?.finish()
  await turn()
  expect(sent.map(one => one.name)).toEqual(['a', 'b', 'c'])
  expect(arrived).toEqual([{ fileKey: 'diploma', fileId: 'f-a', link: '', name: 'a', sizeBytes: 3, mime: 'image/jpeg', checks: null }])
  queue.dispose()
})

test('a lost connection waits, and the repeat carries the same key', async () => {
  const { sent, send } = line()
  const arrived: UploadedFile[] = []
  const queue = newUploadQueue(one => arrived.push(one), send)
  queue.add('photo', file('p'), true)
  sent[0]?.fail(new ApiError({ code: 0, status: 0, message: 'offline' }))
  await turn()
  const [waiting] = queue.useUploads.getState().uploads
  expect(waiting?.phase).toBe('waiting')
  queue.retry(waiting?.localId ?? '')
  expect(sent.map(one => one.purpose)).toEqual(['photo', 'photo'])
  expect(sent[1]?.key).toBe(sent[0]?.key)
  sent[1]?.finish()
  await turn()
  expect(arrived.map(one => one.fileId)).toEqual(['f-p'])
  expect(queue.useUploads.getState().uploads).toEqual([])
})

test('what gave up goes on by itself, though the browser never said that the network is back', async () => {
  vi.useFakeTimers()
  const { sent, send } = line()
  const queue = newUploadQueue(() => {}, send)
  queue.add('photo', file('p'), true)
  sent[0]?.fail(new ApiError({ code: 0, status: 0, message: 'offline' }))
  await vi.advanceTimersByTimeAsync(9_999)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(sent.map(one => one.key)).toEqual([sent[0]?.key, sent[0]?.key])
  queue.dispose()
  vi.useRealTimers()
})

test('a refusal stays to be read, a cancelled file is gone', async () => {
  const { sent, send } = line()
  const queue = newUploadQueue(() => {}, send)
  queue.add('photo', file('p'), true)
  queue.add('agree', file('q'), false)
  sent[0]?.fail(new ApiError({ code: 2802, status: 422, message: '文件类型不符' }))
  await turn()
  expect(queue.useUploads.getState().uploads.map(one => [one.file.name, one.phase, one.message])).toEqual([
    ['p', 'failed', '文件类型不符'],
    ['q', 'sending', null],
  ])
  queue.cancel(queue.useUploads.getState().uploads[1]?.localId ?? '')
  await turn()
  expect(queue.useUploads.getState().uploads.map(one => one.file.name)).toEqual(['p'])
})
