import { expect, test } from 'vitest'
import { inLine, settled } from './saves.ts'

test('drafts of a form are sent one after the other, also after one that failed, and whoever reads the form waits for the last', async () => {
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const sent = [
    inLine('9', async () => {
      seen.push('first is sent')
      await first.promise
    }),
    inLine('9', async () => void seen.push('second')),
  ]
  const read = settled('9').then(() => seen.push('read'))
  await settled('8')
  await inLine('8', async () => void seen.push('another form'))
  first.reject(new Error('no network'))
  expect((await Promise.allSettled(sent)).map(one => one.status)).toEqual(['rejected', 'fulfilled'])
  await read
  expect(seen).toEqual(['first is sent', 'another form', 'second', 'read'])
  await settled('9')
})
