import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type FlowValues, holds, readCondition } from '#contract/flow/condition.ts'
import { flowableFolder, isJavaThere } from '../../support/flowable-java.ts'

const types = { days: 'number', kind: 'text', urgent: 'boolean' } as const
const full: FlowValues = { days: 4, kind: 'a', urgent: true, pass: false }

const own = (text: string): string | undefined => {
  const read = readCondition(text, types)
  return 'problem' in read ? undefined : `${holds(read, full)} ${holds(read, {})}`
}

const atoms = ['urgent', 'pass', '!urgent', '!pass', 'days', '4', '(days)', 'kind', "'a'", 'true']
const signs = ['||', '&&', '==', '!=', '<', '<=', '>', '>=', 'or', 'and', 'eq', 'ne', 'lt', 'le', 'gt', 'ge']
/** Every two operators between every three operands that this language takes: 10 × 16 × 10 × 16 × 10 less those that it refuses. */
const pairs = (): string[] => {
  const found: string[] = []
  for (const a of atoms)
    for (const first of signs)
      for (const b of atoms) for (const second of signs) for (const c of atoms) found.push(`\${${a} ${first} ${b} ${second} ${c}}`)
  return found
}
/** Texts put together from words of the language in any order: most are none, and what is one here has to be one there. */
const noise = (count: number): string[] => {
  const words = [...atoms, ...signs, '!', 'not', '-', '(', ')', '3.5', '-2', '!!', 'empty', 'null', 'div', '"b"', 'urgent', 'pass == false']
  let state = 20_261_129
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
  return Array.from({ length: count }, () => `\${${Array.from({ length: 1 + next(7) }, () => words[next(words.length)] ?? '').join(' ')}}`)
}

test.runIf(isJavaThere)(
  '[S7.32] each pair of operators binds as in Flowable 7.2.0, and what it refuses is refused',
  () => {
    const texts = [...pairs(), ...noise(50_000)].filter(text => own(text) !== undefined)
    expect(texts.length).toBeGreaterThan(10_000)
    const folder = flowableFolder()
    try {
      const said = execFileSync('java', ['-cp', '.:lib/*', 'oracle.Conditions'], {
        ...{ cwd: folder, input: texts.join('\n'), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      })
      // A variable alone that was not entered is null there, which stops the process; here it is not fulfilled.
      const theirs = said.replaceAll('null', 'false').trim().split('\n')
      expect(theirs).toHaveLength(texts.length)
      expect(
        texts.flatMap((text, at) => (own(text) === theirs[at] ? [] : [`${text}: ${own(text)}, Flowable ${theirs[at]}`])).slice(0, 20),
      ).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  600_000,
)
