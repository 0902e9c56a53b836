import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paperScoreStates, postStates } from '#contract/exam/exam.state.ts'
import { valueNames } from '#contract/exam/value-names.ts'
import { exportJobStates } from '#contract/kernel/export-job.state.ts'
import type { Tone } from '#contract/kernel/field.ts'
import type { States } from '#contract/kernel/machine.ts'
import { resources } from '#contract/nouns.ts'
import { invoiceStates } from '#contract/pay/order.state.ts'
import { runStates } from '#contract/report/run.state.ts'
import { healthStates } from '#contract/ticket/health.state.ts'
import { seatingMachine } from '#contract/ticket/ticket.state.ts'
import { statePages } from './states.ts'

type AnyStates = States<string>
const machines = statePages.map(({ page, machine }) => [page, machine as unknown as AnyStates] as const)
const vocabularies: readonly (readonly [string, AnyStates])[] = [
  ...machines,
  ['post', postStates],
  ['paper scores', paperScoreStates],
  ['receipt', invoiceStates],
  ['health papers', healthStates],
  ['export', exportJobStates],
  ['run of a report', runStates],
]

test('a word of a state has one colour, whatever it is a state of', () => {
  const tones = new Map<string, Set<Tone>>()
  for (const [, of] of vocabularies)
    for (const state of Object.keys(of.wire)) {
      const [word, tone] = [of.label[state]?.zh ?? '', of.tone[state]]
      if (tone !== undefined) tones.set(word, (tones.get(word) ?? new Set()).add(tone))
    }
  expect([...tones].filter(([, of]) => of.size > 1).map(([word, of]) => `${word}: ${[...of].join(' ')}`)).toEqual([])
})

test('declared lists colour the states of a machine as the machine does', () => {
  const words = (of: AnyStates) => JSON.stringify(Object.keys(of.wire).map(state => [of.wire[state], of.label[state]?.zh]))
  const known = new Map(vocabularies.map(([, of]) => [words(of), of]))
  const wrong = resources.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([key, { words: own, tones }]) => {
      if (own === undefined) return []
      const of = known.get(JSON.stringify(Object.entries(own).map(([wire, { zh }]) => [Number(wire), zh])))
      const isSame =
        of === undefined || tones === undefined || Object.keys(of.wire).every(state => tones[String(of.wire[state])] === of.tone[state])
      return isSame ? [] : [`${name}.${key}`]
    }),
  )
  expect(wrong).toEqual([])
  const seats = valueNames.ticketState.map(({ value, label }) => [Number(value), label])
  expect(seats).toEqual(
    Object.entries(seatingMachine.wire).map(([state, wire]) => [wire, seatingMachine.label[state as keyof typeof seatingMachine.wire]]),
  )
})

/** Coloured words that are no states: what happened, how bad it is, what differs. */
const ownTones: Readonly<Record<string, string>> = {
  'features/flow/manage/compare-page.tsx': 'marks of two versions that are compared',
  'features/kit/columns.tsx': 'shows every tone',
  'features/pay/money-course.ts': 'events of a time line',
  'features/signup/course/page.tsx': 'events of a time line',
  'features/statistics/home/setup.tsx': 'steps of the first day, which are read from the system and have no machine',
  'features/signup/work/history.tsx': 'decisions of a time line',
}
/** Words of candidates and of the examination day, who read plainer ones than the office. */
const ownWords = /^(portal|site)\//

const web = join(import.meta.dirname, '../web/src')
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .map(name => name.replaceAll('\\', '/'))
  .filter(path => /\.tsx?$/.test(path))
  .map(path => ({ path, text: readFileSync(join(web, path), 'utf8') }))

test('no screen of the console has words or colours of its own for states', () => {
  const found = sources.flatMap(({ path, text }) => {
    const table =
      /import .*\bTone\b.* from '.*(?:field|status-tag)\.tsx?'/.test(text) &&
      /(?::|satisfies) (?:readonly Tone\[\]|(?:Partial<|Readonly<)*Record<[^>]*, Tone>)/.test(text)
    const words = ownWords.test(path) ? null : /'(?:[\w.]*\.)?\w*[sS]tate\.\d+':/.exec(text)
    const drawn = /<StatusTag[^>]*text=\{label\(\w+Machine\.label/.test(text)
    return [
      ...(table && !(path in ownTones) && !path.startsWith('portal/') ? [`${path} has a table of tones`] : []),
      ...(words === null ? [] : [`${path} has the words ${words[0]}`]),
      ...(drawn ? [`${path} draws a state of a machine without StateTag`] : []),
    ]
  })
  expect(found).toEqual([])
  expect(Object.keys(ownTones).filter(path => !sources.some(one => one.path === path && /Tone/.test(one.text)))).toEqual([])
})
