import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createKeptAnswers } from './kept-answers.ts'
import { DataAsJson, KeptAnswer } from './written-answer.ts'

test('an answer is written once for each variant, and compressed where that is worth it', async () => {
  const answer = new KeptAnswer(['x'])
  let times = 0
  const write = (text: string) => () => {
    times += 1
    return text
  }
  const textOf = (variant: string, text: string): string => answer.write(variant, write(text)).bytes().toString()
  const long = '长'.repeat(3_000)
  expect([textOf('zh', long), textOf('zh', 'other'), textOf('en', 'short')]).toEqual([long, long, 'short'])
  expect(times).toBe(2)
  expect(answer.write('en', write('')).compressed('br')).toBeUndefined()
  const { compressed } = answer.write('zh', write(''))
  const [br, again, zstd] = await Promise.all([compressed('br'), compressed('br'), compressed('zstd')])
  expect(again).toBe(br)
  expect(brotliDecompressSync(br ?? Buffer.alloc(0)).toString()).toBe(long)
  expect(zstdDecompressSync(zstd ?? Buffer.alloc(0)).toString()).toBe(long)
})

test('data that come with their JSON have both, made once; others have none', () => {
  const both = new KeptAnswer(
    new DataAsJson(
      () => ['["x', '"]'].map(piece => Buffer.from(piece)),
      () => ['x'],
    ),
  )
  const plain = new KeptAnswer(['x'])
  expect([Buffer.concat(both.json ?? []).toString(), both.data, plain.json, plain.data]).toEqual(['["x"]', ['x'], undefined, ['x']])
  expect(
    both
      .write('zh', () => both.json ?? '')
      .bytes()
      .toString(),
  ).toBe('["x"]')
  expect(both.data).toBe(both.data)
})

test('what is forgotten while it is made is not kept, and neither is a failure', async () => {
  const kept = createKeptAnswers()
  let finish = (_: string): void => {}
  const slow = kept.of('a', 'k', () => new Promise<string>(done => (finish = done)))
  kept.forget('a')
  finish('old')
  expect((await slow).data).toBe('old')
  expect((await kept.of('a', 'k', async () => 'new')).data).toBe('new')
  expect((await kept.of('b', 'k', async () => 'of b')).data).toBe('of b')
  kept.forget('b')
  expect((await kept.of('a', 'k', async () => 'newer')).data).toBe('new')
  await expect(kept.of('a', 'broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect((await kept.of('a', 'broken', async () => 'mended')).data).toBe('mended')
})
