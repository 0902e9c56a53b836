import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { spread } from '../measure.ts'
import { type Figure, range } from '../report.ts'

interface Answer {
  readonly a: readonly number[]
  readonly b: readonly number[]
  readonly kilobytes: number
  readonly pages: number
}

/** Tickets of two pages with photo, QR code and Chinese text, per second of one core. */
export const measureTickets = async (rounds: number, tickets: number): Promise<Figure[]> => {
  const { a, b, kilobytes, pages } = await new Promise<Answer>((done, fail) => {
    const child = fork(fileURLToPath(new URL('./ticket-child.ts', import.meta.url)), [], { execArgv: [] })
    child.once('message', answer => done(answer as Answer))
    child.once('error', fail)
    child.once('exit', code => fail(new Error(`the ticket renderer ended with code ${code}`)))
    child.send({ rounds, tickets })
  })
  const perSecond = spread(a.map(seconds => 1 / seconds))
  const ratio = spread(a.map((seconds, i) => seconds / (b[i] ?? Number.NaN)))
  return [
    {
      work: `ticket PDF, ${pages} pages, ${kilobytes.toFixed(0)} KB`,
      product: `${range(perSecond)} per second of one core`,
      floor: `${range(spread(b.map(seconds => 1 / seconds)))} without text`,
      ratio: `${ratio.median.toFixed(1)}× (${ratio.min.toFixed(1)}–${ratio.max.toFixed(1)})`,
      goal: '≥ 25 per second',
      met: perSecond.median >= 25,
    },
  ]
}
