import { seedRandom } from '../generate/random.ts'
import { wakingHours } from './calendar.ts'
import { createLife, type Life, type Step } from './life.ts'
import { createPurse } from './money.ts'
import type { EmulatorFacts } from './money-rows.ts'
import type { Owner, Stage } from './stage.ts'
import { type Beat, type StoryKind, storyOf } from './stories.ts'

/** One person, the story of their sign-up, and which portrait is theirs. */
export interface Part {
  readonly owner: (firstBeat: Date) => Owner
  readonly kind: StoryKind
  readonly portrait: number
}

export interface Played {
  readonly lives: readonly { readonly life: Life; readonly owner: Owner; readonly part: Part }[]
  /** Live sign-ups by post. */
  readonly usedSign: ReadonlyMap<string, number>
  readonly signSeq: number
}

/**
 * Plays all stories of one examination in the order of their steps, so that ids and running numbers follow the clock as they would have.
 */
export const play = (
  stage: Stage,
  parts: readonly Part[],
  between: { readonly from: Date; readonly to: Date; readonly lockUntil: Date; readonly seed: number },
  emulator: EmulatorFacts,
  notifyUrl: (kind: 'notify' | 'refundNotify') => string,
): Played => {
  const random = seedRandom(between.seed)
  const clock = wakingHours(between.from, between.to)
  const told: { part: number; step: Step; at: Date }[] = []
  for (const [part, { kind }] of parts.entries()) {
    const beats: Beat[] = storyOf(kind, part, stage.exam.levels, random, between.lockUntil)
    for (const { step, fraction } of beats) told.push({ part, step, at: clock(fraction) })
  }
  // Sorting is stable: the steps of one person keep their order even within one second.
  told.sort((a, b) => a.at.getTime() - b.at.getTime())

  let signSeq = 0
  const lives = new Map<number, Played['lives'][number]>()
  for (const { part: n, step, at } of told) {
    let known = lives.get(n)
    if (!known) {
      const part = parts[n]
      if (!part) throw new Error('a step belongs to nobody')
      const owner = part.owner(at)
      const post = stage.posts.get(owner.person.code)
      const amountFen = post ? stage.feeOf(post) : 0
      const life = createLife(
        stage,
        owner,
        part.portrait,
        signupId => createPurse(stage, signupId, owner, amountFen, emulator, notifyUrl),
        () => {
          signSeq += 1
          return signSeq
        },
      )
      known = { life, owner, part }
      lives.set(n, known)
    }
    known.life.tell(step, at)
  }
  const usedSign = new Map<string, number>()
  for (const { life, owner } of lives.values())
    if (life.close()) usedSign.set(owner.person.code, (usedSign.get(owner.person.code) ?? 0) + 1)
  return { lives: [...lives.values()], usedSign, signSeq }
}
