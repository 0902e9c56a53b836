import { Worker } from 'node:worker_threads'
import type { RenderAnswer, RenderOrder } from './pool-worker.ts'

export interface PdfPoolOptions {
  /** Threads; decision 2.10 and the memory (80 MB each, measured) speak for 2 to 4. They start when first needed. */
  readonly size: number
  /** Module that exports `render(input): Promise<Uint8Array>`; its input must be structured-cloneable. */
  readonly templateUrl: URL
  /** Waiting renders before PdfBusyError; default 200. */
  readonly queueLength?: number
  /** A render that takes longer loses its thread; default 30,000. */
  readonly timeoutMs?: number
}

export interface PdfPool<Input> {
  /** @throws PdfBusyError when the queue is full, PdfRenderError when the template throws, the signal's reason when cancelled */
  readonly render: (input: Input, signal?: AbortSignal) => Promise<Uint8Array>
  /** Refuses what waits and ends the threads. */
  readonly close: () => Promise<void>
}

export class PdfBusyError extends Error {
  override readonly name = 'PdfBusyError'
  readonly reason = 'busy'
}

export class PdfRenderError extends Error {
  override readonly name = 'PdfRenderError'
  /** Characters no font has, when that is why; the ticket is then blocked with 2311. */
  readonly missingCharacters: readonly string[]

  constructor(message: string, missingCharacters: readonly string[]) {
    super(message)
    this.missingCharacters = missingCharacters
  }
}

interface Task {
  readonly input: unknown
  readonly settle: (outcome: { readonly bytes: Uint8Array } | { readonly error: unknown }) => void
}

interface Thread {
  readonly worker: Worker
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
}

/** Renders documents in worker threads, first come first served, so that fonts and subsetting never hold up the event loop. */
export function createPdfPool<Input>(options: PdfPoolOptions): PdfPool<Input> {
  const threads = new Set<Thread>()
  const queue: Task[] = []
  let isClosed = false

  const finish = (thread: Thread, outcome: Parameters<Task['settle']>[0]): void => {
    clearTimeout(thread.timer)
    thread.task?.settle(outcome)
    thread.task = undefined
  }

  const lose = (thread: Thread, error: Error): void => {
    if (!threads.delete(thread)) return
    finish(thread, { error })
    void thread.worker.terminate()
    pump()
  }

  const start = (): Thread => {
    const worker = new Worker(new URL('./pool-worker.ts', import.meta.url), {
      workerData: { templateUrl: options.templateUrl.href },
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const thread: Thread = { worker, task: undefined, timer: undefined }
    worker.on('message', (answer: RenderAnswer) => {
      finish(thread, 'bytes' in answer ? { bytes: answer.bytes } : { error: new PdfRenderError(answer.message, answer.missingCharacters) })
      worker.unref()
      pump()
    })
    worker.on('error', error => lose(thread, new PdfRenderError(String(error), [])))
    worker.on('exit', code => lose(thread, new PdfRenderError(`the rendering thread ended with code ${code}`, [])))
    threads.add(thread)
    return thread
  }

  const pump = (): void => {
    while (queue.length > 0) {
      const idle = [...threads].find(thread => !thread.task) ?? (threads.size < options.size ? start() : undefined)
      const task = idle && queue.shift()
      if (!task) return
      idle.task = task
      idle.worker.ref()
      idle.timer = setTimeout(() => lose(idle, new PdfRenderError('rendering took too long', [])), options.timeoutMs ?? 30_000)
      const order: RenderOrder = { input: task.input }
      idle.worker.postMessage(order)
    }
  }

  return {
    render(input, signal) {
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(new PdfRenderError('the pool is closed', []))
        if (signal?.aborted) return reject(signal.reason)
        const isFull = threads.size >= options.size && [...threads].every(thread => thread.task)
        if (isFull && queue.length >= (options.queueLength ?? 200)) return reject(new PdfBusyError('too many documents are waiting'))
        const cancel = (): void => {
          // A running render goes on to its end and its result is dropped: a new thread would cost more than one document.
          const at = queue.indexOf(task)
          if (at >= 0) queue.splice(at, 1)
          reject(signal?.reason)
        }
        const task: Task = {
          input,
          settle(outcome) {
            signal?.removeEventListener('abort', cancel)
            if ('bytes' in outcome) resolve(outcome.bytes)
            else reject(outcome.error)
          },
        }
        signal?.addEventListener('abort', cancel, { once: true })
        queue.push(task)
        pump()
      })
    },
    async close() {
      isClosed = true
      for (const task of queue.splice(0)) task.settle({ error: new PdfRenderError('the pool is closed', []) })
      await Promise.all(
        [...threads].map(async thread => {
          threads.delete(thread)
          finish(thread, { error: new PdfRenderError('the pool is closed', []) })
          await thread.worker.terminate()
        }),
      )
    },
  }
}
