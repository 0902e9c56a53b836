import type { Step } from './life.ts'

/** How far a sign-up of the demo has come. */
export const storyKinds = [
  'draft',
  'waiting',
  'waitingOpen',
  'waitingAgain',
  'second',
  'secondOpen',
  'returned',
  'refused',
  'due',
  'paid',
  'paidByTransfer',
  'refundAsked',
  'refunding',
  'refunded',
  'overdue',
  'withdrawn',
  'disqualified',
] as const
export type StoryKind = (typeof storyKinds)[number]

/** How many of the 300 sign-ups of the demo's large examination end in which story. */
export const storyCounts: Readonly<Record<StoryKind, number>> = {
  draft: 24,
  waiting: 50,
  waitingOpen: 4,
  waitingAgain: 8,
  second: 37,
  secondOpen: 3,
  returned: 22,
  refused: 18,
  due: 30,
  paid: 48,
  paidByTransfer: 8,
  refundAsked: 4,
  refunding: 6,
  refunded: 6,
  overdue: 6,
  withdrawn: 16,
  disqualified: 10,
}

/** Stories that need a fee. */
export const isAboutMoney = (kind: StoryKind): boolean =>
  ['due', 'paid', 'paidByTransfer', 'refundAsked', 'refunding', 'refunded', 'overdue'].includes(kind)

/** A step with its place between the beginning of the sign-up (0) and now (1). */
export interface Beat {
  readonly step: Step
  readonly fraction: number
}

/** Earliest and latest first submit: who has come further began sooner. */
const beginnings: Partial<Record<StoryKind, readonly [number, number]>> = {
  draft: [0.1, 0.98],
  waiting: [0.45, 0.99],
  waitingOpen: [0.35, 0.6],
  waitingAgain: [0.15, 0.6],
  second: [0.25, 0.85],
  secondOpen: [0.2, 0.5],
  returned: [0.1, 0.8],
}

/**
 * The steps of a story, spread over the time since sign-up began.
 *
 * @param levels - review levels of the examination
 * @param lockUntil - until when a reviewer who has it open now holds it
 */
export const storyOf = (kind: StoryKind, n: number, levels: 1 | 2, random: { next(): number }, lockUntil: Date): Beat[] => {
  const [from, to] = beginnings[kind] ?? [0.01, 0.6]
  let fraction = from + (to - from) * random.next()
  const beats: Beat[] = [{ step: { do: 'save' }, fraction: Math.max(0, fraction - 0.004 - 0.02 * random.next()) }]
  const then = (step: Step): void => {
    beats.push({ step, fraction })
    fraction += (0.995 - fraction) * (0.08 + 0.4 * random.next())
  }
  const pass = (upTo: 1 | 2): void => {
    then({ do: 'pass', level: 1, by: n })
    if (levels === 2 && upTo === 2) then({ do: 'pass', level: 2, by: n })
  }
  const mended = (): void => {
    then({ do: 'return', level: 1, by: n })
    then({ do: 'resubmit' })
  }
  if (kind === 'draft') return beats
  then({ do: 'submit' })
  // One in seven of those who passed had to mend something first.
  const passed = (): void => {
    if (n % 7 === 3) mended()
    pass(2)
  }
  switch (kind) {
    case 'waiting':
      break
    case 'waitingOpen':
      fraction = 1
      then({ do: 'open', level: 1, by: n, until: lockUntil })
      break
    case 'waitingAgain':
      mended()
      break
    case 'second':
      pass(1)
      break
    case 'secondOpen':
      pass(1)
      fraction = 1
      then({ do: 'open', level: 2, by: n, until: lockUntil })
      break
    case 'returned':
      if (levels === 2 && n % 2 === 0) pass(1)
      then({ do: 'return', level: levels === 2 && n % 2 === 0 ? 2 : 1, by: n })
      break
    case 'refused':
      if (levels === 2 && n % 3 === 0) pass(1)
      then({ do: 'refuse', level: levels === 2 && n % 3 === 0 ? 2 : 1, by: n })
      break
    case 'withdrawn':
      if (n % 2 === 0) pass(2)
      then({ do: 'withdraw' })
      break
    case 'disqualified':
      pass(2)
      then({ do: 'disqualify' })
      break
    default:
      passed()
      if (kind === 'due' && n % 4 === 0) then({ do: 'abandonOrder' })
      if (kind === 'paid' || kind === 'refundAsked' || kind === 'refunding' || kind === 'refunded') then({ do: 'payByCode' })
      if (kind === 'paidByTransfer') then({ do: 'payByTransfer' })
      if (kind === 'overdue') then({ do: 'lapse' })
      if (kind === 'refundAsked' || kind === 'refunding' || kind === 'refunded') then({ do: 'askRefund' })
      if (kind === 'refunding' || kind === 'refunded') then({ do: 'approveRefund' })
      if (kind === 'refunded') then({ do: 'finishRefund' })
  }
  return beats
}
