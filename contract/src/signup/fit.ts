import {
  type Answers,
  type ConditionCheck,
  type ConditionContext,
  evaluateConditions,
  mayInsist,
  type PostConditions,
} from './conditions.ts'

// "What can I apply for": a few facts about a person against the conditions of a post, by the judge that judges the form.

/** What somebody says of themselves before they sign up; under the names of the form's answers, so that they fill it in. */
export interface Facts {
  /** `yyyy-MM-dd` */
  readonly birthday?: string
  readonly sex?: string
  readonly education?: string
  readonly degree?: string
  readonly major?: string
  /** `yyyy-MM-dd`, expected where it is still to come. */
  readonly graduateDate?: string
  /** 1: has been employed since graduating. */
  readonly employed?: string
  /** 1: has completed residency training. */
  readonly residency?: string
  /** Licences; an empty list says that there is none. */
  readonly certName?: readonly string[]
}
export const factKeys = ['birthday', 'sex', 'education', 'degree', 'major', 'graduateDate', 'employed', 'residency', 'certName'] as const

/** As the judge reads them: whoever has not said that they were employed is taken for somebody who was not. */
export const answersOfFacts = ({ employed, ...facts }: Facts): Answers => ({
  ...facts,
  ...(employed === undefined ? {} : { workUnit: employed === '1' ? '1' : '' }),
})

/** can: every condition is met. person: nothing is against it, something is for a person to judge. cannot: a condition is not met, or the post takes nobody. */
export type FitGroup = 'can' | 'person' | 'cannot'
export const fitGroups = ['can', 'person', 'cannot'] as const

/** Why a post takes nobody, whoever asks. */
export type PostBar = 'cancelled' | 'paused' | 'full'

export interface Fit {
  readonly group: FitGroup
  readonly bar: PostBar | undefined
  readonly checks: readonly ConditionCheck[]
  /** The post may be applied for all the same: a person decides what is not met. */
  readonly mayInsist: boolean
}

interface PostToFit extends PostConditions {
  readonly postState: number
  readonly maxSign: number
  readonly usedSign: number
  readonly otherText: string | null
}

const barOf = ({ postState, maxSign, usedSign }: PostToFit): PostBar | undefined => {
  if (postState === 2) return 'cancelled'
  if (postState === 4) return 'paused'
  return maxSign > 0 && usedSign >= maxSign ? 'full' : undefined
}

/** Conditions in words that only a person can judge make no post doubtful by themselves: they are shown beside it. */
export const fitOf = (post: PostToFit, answers: Answers, context: ConditionContext): Fit => {
  const bar = barOf(post)
  const checks = evaluateConditions(post, answers, context)
  const unmet = checks.filter(check => check.result === 'no')
  const group = bar !== undefined || unmet.length > 0 ? 'cannot' : checks.some(check => check.result !== 'ok') ? 'person' : 'can'
  return { group, bar, checks, mayInsist: bar === undefined && unmet.length > 0 && unmet.every(mayInsist) }
}
