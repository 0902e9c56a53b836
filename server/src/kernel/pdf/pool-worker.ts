// A thread of createPdfPool: one template, one document at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { MissingGlyphError } from './layout.ts'

export interface RenderOrder {
  readonly input: unknown
}

export type RenderAnswer = { readonly bytes: Uint8Array } | { readonly message: string; readonly missingCharacters: readonly string[] }

const { templateUrl } = workerData as { readonly templateUrl: string }
const { render } = (await import(templateUrl)) as { readonly render: (input: unknown) => Promise<Uint8Array> }

parentPort?.on('message', ({ input }: RenderOrder) => {
  render(input).then(
    bytes => {
      const answer: RenderAnswer = { bytes: new Uint8Array(bytes) }
      parentPort?.postMessage(answer, [answer.bytes.buffer as ArrayBuffer])
    },
    (error: unknown) => {
      const answer: RenderAnswer = {
        message: error instanceof Error ? error.message : String(error),
        missingCharacters: error instanceof MissingGlyphError ? error.characters : [],
      }
      parentPort?.postMessage(answer)
    },
  )
})
