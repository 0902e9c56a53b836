import {
  type Answers,
  type ConditionCheck,
  type ConditionContext,
  evaluateConditions,
  type GraduatePolicy,
  mayInsist,
  noTitle,
  type PostConditions,
  yearsBetween,
} from './conditions.ts'

// "What can I apply for": a few facts about a person against the conditions of a post, by the judge that judges the form.

/** What somebody says of themselves before they sign up; under the names of the form's answers, so that they fill it in. */
export interface Facts {
  /** `yyyy-MM-dd` */
  readonly birthday?: string
  readonly sex?: '1' | '2'
  readonly education?: string
  readonly degree?: string
  readonly major?: string
  /** `yyyy-MM-dd`, expected where it is still to come. */
  readonly graduateDate?: string
  /** 1: has been employed since graduating. */
  readonly employed?: '0' | '1'
  /** 1: has completed residency training. */
  readonly residency?: '0' | '1'
  /** Licences; an empty list says that there is none. */
  readonly certName?: readonly string[]
  /** 1: social insurance was paid since graduating. */
  readonly insured?: '0' | '1'
  readonly political?: string
  /** GB/T 2260 code of the household registration, as far as posts tell places apart; `elsewhere` for all others. */
  readonly hukouAddress?: string
  /** A professional title, or `noTitle`. */
  readonly title?: string
  /** Whole years, in digits. */
  readonly workYears?: string
}
const basicFacts = ['birthday', 'sex', 'education', 'degree', 'major', 'graduateDate', 'employed', 'certName'] as const
/** Questions that few posts need: each is asked where some post of the examination does. */
const moreFacts = ['residency', 'insured', 'political', 'hukouAddress', 'title', 'workYears'] as const
export type MoreFact = (typeof moreFacts)[number]
export const factKeys = [...basicFacts, ...moreFacts]

/** A household registration in no place that a post names. */
export const elsewhere = '000000'

/** What beside the five questions decides on some post, in the order in which it is asked. */
export const askedBeside = (
  posts: readonly PostConditions[],
  { freshEndsBy, residencyFresh, residencyMaster }: GraduatePolicy,
): MoreFact[] => {
  const asksFresh = posts.some(post => post.fresh !== 0)
  const isMaster = ({ educations, degrees }: PostConditions) =>
    (educations !== null && 'min' in educations && educations.min === '10') || (degrees !== null && 'min' in degrees && degrees.min === '2')
  const asked: Readonly<Record<MoreFact, boolean>> = {
    residency: (residencyFresh && posts.some(post => post.fresh === 1)) || (residencyMaster && posts.some(isMaster)),
    insured: asksFresh && freshEndsBy === 2,
    political: posts.some(post => post.political.length > 0),
    hukouAddress: placesIn(posts).length > 0,
    title: posts.some(post => post.title !== null),
    workYears: posts.some(post => (post.minWorkYears ?? 0) > 0),
  }
  return moreFacts.filter(name => asked[name])
}

/** The places that posts ask a household registration in, as whole codes: 330100 for all that begin with 3301. */
export const placesIn = (posts: readonly PostConditions[]): string[] =>
  [...new Set(posts.flatMap(post => (post.hukou?.prefixes ?? []).map(prefix => prefix.padEnd(6, '0'))))].toSorted()

/** The place of that list which somebody's own code lies in, the narrowest first. */
export const placeAmong = (places: readonly string[], code: string): string =>
  [...places].toSorted((a, b) => wholePart(b).length - wholePart(a).length).find(place => code.startsWith(wholePart(place))) ?? elsewhere
const wholePart = (place: string): string => place.replace(/(?:00){1,2}$/, '')

/** What a form's answers say of the same: of a form that was handed in, nothing said of licences or a title is none. */
export const factsInAnswers = (answers: Answers, onDay: string, isHandedIn: boolean): Facts => {
  const text = (name: string, form = /./): string | undefined => {
    const value = answers[name]
    const said = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
    return form.test(said) ? said : undefined
  }
  const [yesNo, day] = [/^[01]$/, /^\d{4}-\d{2}-\d{2}$/]
  const certs = Array.isArray(answers.certName) ? answers.certName.map(String) : text('certName')?.split(/[;；、,，]/)
  const first = text('firstWorkDate')
  const own: Facts = {
    birthday: text('birthday', day),
    sex: text('sex', /^[12]$/),
    education: text('education'),
    degree: text('degree'),
    major: text('major'),
    graduateDate: text('graduateDate', day),
    employed: answers.workUnit === undefined ? undefined : text('workUnit') ? '1' : isHandedIn ? '0' : undefined,
    residency: text('residency', yesNo),
    insured: text('insured', yesNo),
    certName: certs ?? (isHandedIn && 'certName' in answers ? [] : undefined),
    political: text('political'),
    hukouAddress: text('hukouAddress', /^\d{6}$/),
    title: text('title') ?? (isHandedIn && 'title' in answers ? noTitle : undefined),
    workYears: first ? String(Math.max(0, yearsBetween(first, onDay))) : text('workYears', /^\d{1,2}$/),
  } as Facts
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
}

/** As the judge reads them. */
export const answersOfFacts = ({ employed, ...facts }: Facts): Answers => ({
  ...facts,
  ...(employed === undefined ? {} : { workUnit: employed === '1' ? '1' : '' }),
})

/** As a form begins with them: a place is told as far as posts tell places apart, and no title is a form's blank. */
export const prefillOfFacts = ({ hukouAddress: _, title, ...facts }: Facts): Answers => ({
  ...facts,
  ...(title === undefined || title === noTitle ? {} : { title }),
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

/** What stands against a post, or is open: where something is against it, nothing else is a reason. */
export const reasonsOf = <T extends Pick<ConditionCheck, 'result'>>(group: FitGroup, checks: readonly T[]): T[] =>
  checks.filter(check => (group === 'cannot' ? check.result === 'no' : check.result !== 'ok'))

/** Conditions in words that only a person can judge make no post doubtful by themselves: they are shown beside it. */
export const fitOf = (post: PostToFit, answers: Answers, context: ConditionContext): Fit => {
  const bar = barOf(post)
  const checks = evaluateConditions(post, answers, context)
  const unmet = checks.filter(check => check.result === 'no')
  const group = bar !== undefined || unmet.length > 0 ? 'cannot' : checks.some(check => check.result !== 'ok') ? 'person' : 'can'
  return { group, bar, checks, mayInsist: bar === undefined && unmet.length > 0 && unmet.every(mayInsist) }
}
