import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { dueFigures } from '#contract/pay/figures.ts'
import { dueMachine } from '#contract/pay/order.state.ts'
import { examPay } from '#contract/pay/pay.resources.ts'

const root = join(import.meta.dirname, '..')

/** Rows that figures of examinations are made of. */
const counted = ['signup', 'signup_tally', 'signup_hour', 'signup_paid', 'signup_total', 'exam_pay']
const reads = new RegExp(String.raw`\b(?:from|join)\s+(?:${counted.join('|')})\b`)
const counts = /\b(?:count|sum)\s*\(/
/** A figure of `server/src/kernel/db/figures.ts`, the only file that may say what one is. */
const defined = /\$\{(?:isIn|talliedIn|countedIn|isDueIn|amountFenIn|owes)\(|\b(?:cameInFen|refundedFen|isPaidInFull)\b/

/** Counts of these rows that are no figure anybody compares with another, and what they are instead. */
const others: Readonly<Record<string, string>> = {
  'ticket/data/accommodation.repo.ts#pageAccommodations': 'rows of a list',
  'ticket/data/eligible.repo.ts#countEligible': 'who sits a paper, by the function takes_part',
  'ticket/data/eligible.repo.ts#countPending': 'who may still come to sit, as the allocation of seats warns',
  'ticket/data/exam-day.repo.ts#listDayRooms': 'seats of a room by who came',
  'ticket/data/exam-day.repo.ts#pageNotes': 'rows of a list',
  'ticket/data/invariants.repo.ts#ticketInvariants': 'comparison of a counter with its rows',
  'ticket/data/release.repo.ts#countReductions': 'people who have still to choose another post',
  'signup/data/allot.repo.ts#countWaiting': 'work of a reviewer',
  'signup/data/allot.repo.ts#allotFigures': 'work handed out and not handed out',
  'signup/data/allot.repo.ts#reviewerFigures': 'work of reviewers',
  'signup/data/exam-card.repo.ts#pageOwn': 'rows of a list',
  'signup/data/group.repo.ts#countWithoutPhoto': 'what a school has still to bring',
  'signup/data/group.repo.ts#pageGroup': 'rows of a list',
  'signup/data/group.repo.ts#countGroups': 'whom a school brought, in every state, and who has something to do',
  'signup/data/holdings.repo.ts#waitingRows': 'work of somebody who leaves',
  'signup/data/invariants.repo.ts#signupInvariants': 'comparison of a counter with its rows',
  'signup/data/list.repo.ts#pageSignups': 'rows of a list',
  'signup/data/overdue.repo.ts#listLateReviewers': 'work of a reviewer that is late',
  'signup/data/overdue.repo.ts#listLateExams': 'work of an office that is late',
  'signup/data/photo-wall.repo.ts#countPhotos': 'photos by what was said of them',
  'signup/data/places.repo.ts#listDoubtfulPosts': 'comparison of a counter with its rows',
  'signup/data/places.repo.ts#countHeld': 'places taken, by holdsPlace of the state machine',
  'signup/data/review-queue.repo.ts#readQueues': 'place in a queue',
  'signup/data/tally.repo.ts#gatherTallies': 'the tallies themselves',
  'signup/data/tally.repo.ts#talliedTotal': 'rows of a list',
  'selection/data/person.repo.ts#countOff': 'steps of the selection',
  'selection/data/person.repo.ts#countInReview': 'steps of the selection',
  'selection/data/person.repo.ts#countsInReview': 'steps of the selection',
  'selection/data/person.repo.ts#countInStages': 'steps of the selection',
  'selection/data/person.repo.ts#countOpen': 'steps of the selection',
  'result/data/invariants.repo.ts#resultInvariants': 'comparison of a counter with its rows',
  'result/data/result.repo.ts#listIncomplete': 'who has a ticket and no score',
  'result/data/result.repo.ts#countForRelease': 'scores of a paper',
  'reduction/data/name.repo.ts#pageNames': 'rows of a list',
  'reduction/data/reduction.repo.ts#countValid': 'who counts for the ratio of a post, by the function takes_part',
  'reduction/data/reduction.repo.ts#countPending': 'who may still count for the ratio of a post',
  'pay/data/due.repo.ts#sumDue': 'what one person has to pay now',
  'pay/data/frozen.repo.ts#freezeRows': 'the rows of a list of receipts, which never change',
  'pay/data/invariants.repo.ts#payInvariants': 'comparison of a counter with its rows',
  'pay/data/ledger.repo.ts#listBroken': 'comparison of dues with the ledger',
  'pay/data/ledger.repo.ts#countDues': 'rows that a check goes through',
  'pay/data/waiver.repo.ts#pageWaivers': 'rows of a list',
  'message/data/send.repo.ts#countAudience': 'people that a message goes to',
}

/** The top-level declarations of a file with the text of each. */
const declarationsOf = (file: string): readonly (readonly [name: string, text: string])[] => {
  const text = readFileSync(join(root, file), 'utf8')
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:const|function|type|interface) (\w+)/gm)]
  return starts.map((found, i) => [found[1] ?? '', text.slice(found.index, starts[i + 1]?.index)] as const)
}

test('[S7.52] every count of sign-ups and every sum of dues takes its meaning from the definitions, or is named with what it is instead', () => {
  const files = globSync('server/src/modules/**/*.ts', { cwd: root })
    .map(file => file.split(sep).join('/'))
    .filter(file => !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(500)
  const undefinedCounts = files.flatMap(file =>
    declarationsOf(file)
      .filter(([, text]) => counts.test(text) && reads.test(text) && !defined.test(text))
      .map(([name]) => `${file.replace('server/src/modules/', '')}#${name}`),
  )
  expect(undefinedCounts.sort()).toEqual(Object.keys(others).sort())
})

test('[S7.52] texts of screens and public pages that stand beside a number of sign-ups say which are counted', () => {
  const shown = ['web/src/portal/exam/zh.ts', 'web/src/portal/exam/en.ts', 'server/src/modules/exam/open/words.ts'].flatMap(
    file => readFileSync(join(root, file), 'utf8').match(/signed'?: .*/g) ?? [],
  )
  expect(shown).toHaveLength(3)
  for (const text of shown) expect(text).toMatch(/不含撤回|without withdrawn/)
})

test('[S7.52] the sums under the list of dues and those of the figures are of the same states', () => {
  const [amount] = examPay.sums ?? []
  expect(amount?.of?.values).toEqual(dueFigures.owed.states.map(state => dueMachine.wire[state]))
})
