import type { Label } from '../kernel/label.ts'

/** `signup.stage` from the re-review on (domain 3.7). */
export const stage = { recheck: 3, interview: 4, medical: 5, vetting: 6, publicity: 7, hire: 8, out: 9 } as const

export const stageNames: Readonly<Record<number, Label>> = {
  3: { zh: '资格复审', en: 'Re-review' },
  4: { zh: '面试', en: 'Interview' },
  5: { zh: '体检', en: 'Medical check' },
  6: { zh: '考察', en: 'Vetting' },
  7: { zh: '公示', en: 'Publicity' },
  8: { zh: '聘用', en: 'Hire' },
  9: { zh: '淘汰', en: 'Out' },
}

/** What a line of the chain tells: each step says why it was taken (domain 12.2, 12). */
export const stepKinds = [
  'called',
  'substituted',
  'confirmed',
  'declined',
  'lapsed',
  'notProven',
  'contacted',
  'passed',
  'refused',
  'gaveUp',
  'askedMore',
  'handedIn',
  'enough',
  'listEnded',
  'ticketsOut',
  'inCheck',
  'noSubstitution',
  'tied',
  'entered',
  'stepPassed',
  'stepFailed',
  'stepFailing',
  'recheckAsked',
  'recheckLapsed',
  'hired',
  'objection',
  'objectionEnded',
  'notChosen',
  'restored',
  'notRestored',
  'disqualified',
] as const
export type StepKind = (typeof stepKinds)[number]

/** Numbers behind a step; names are shown beside its text, since who reads it may not see them. */
export interface StepFacts {
  readonly rank?: number | null
  readonly score?: string | null
  /** Places of the post at this stage, and how many are still held. */
  readonly places?: number
  readonly remaining?: number
  readonly deadline?: string
  readonly reason?: string
  readonly stage?: number
  readonly count?: number
  readonly outcome?: number
}

/** What the person at the telephone heard. */
export const contactOutcomes: Readonly<Record<number, Label>> = {
  1: { zh: '已接通并告知', en: 'Reached and told' },
  2: { zh: '无人接听', en: 'No answer' },
  3: { zh: '号码错误', en: 'Wrong number' },
  4: { zh: '本人表示放弃', en: 'Said that they give up' },
}

/** Rank and score of a person as the results have them today; a correction since the step makes them differ from its facts. */
export interface Standing {
  readonly rank: number | null
  readonly score: string | null
}
const ranked = ({ rank, score }: Pick<StepFacts, 'rank' | 'score'>): Label => ({
  zh: `名次 ${rank}${score ? `，成绩 ${score}` : ''}`,
  en: `rank ${rank}${score ? `, score ${score}` : ''}`,
})
/** The rank that lists show, and beside it the one by which was decided where it was another. */
const standing = (facts: StepFacts, today: Standing | undefined): Label => {
  if (facts.rank == null) return { zh: '', en: '' }
  if (today?.rank == null) return ranked(facts)
  const [now, then] = [ranked(today), ranked(today.score === facts.score ? { rank: facts.rank } : facts)]
  const isSame = today.rank === facts.rank && (today.score ?? null) === (facts.score ?? null)
  return isSame ? now : { zh: `${now.zh}；当时${then.zh}`, en: `${now.en}; at that time ${then.en}` }
}
const held = ({ places = 0, remaining = 0 }: StepFacts): Label => ({
  zh: `应有 ${places} 人，现有 ${remaining} 人`,
  en: `${places} places, ${remaining} held`,
})
const because = ({ reason }: StepFacts): Label => (reason ? { zh: `：${reason}`, en: `: ${reason}` } : { zh: '', en: '' })

/**
 * The reason of a step in words.
 * @param today rank and score of its person as lists show them; without it, those of the day of the step
 */
export const stepText = (kind: StepKind, facts: StepFacts, today?: Standing): Label => {
  const score = standing(facts, today)
  const name = stageNames[facts.stage ?? stage.recheck] ?? { zh: '', en: '' }
  switch (kind) {
    case 'called':
      return {
        zh: `入围${score.zh && `，${score.zh}`}；请于 ${facts.deadline} 前确认`,
        en: `On the list${score.en && `, ${score.en}`}; to answer until ${facts.deadline}`,
      }
    case 'substituted':
      return {
        zh: `递补：${held(facts).zh}，按名次由下一名递补${score.zh && `（${score.zh}）`}${facts.deadline ? `；请于 ${facts.deadline} 前确认` : ''}`,
        en: `Moves up: ${held(facts).en}, so the next in rank is called${score.en && ` (${score.en})`}${facts.deadline ? `; to answer until ${facts.deadline}` : ''}`,
      }
    case 'confirmed':
      return { zh: '本人确认参加', en: 'Confirmed to take part' }
    case 'declined':
      return { zh: '本人放弃', en: 'Gave up' }
    case 'lapsed':
      return {
        zh: `通知已送达，${facts.deadline} 前未确认，视为放弃`,
        en: `Was told and had not answered by ${facts.deadline}; counts as giving up`,
      }
    case 'notProven':
      return {
        zh: `${facts.deadline} 前未确认，但没有送达凭证，不视为放弃；请电话联系并登记`,
        en: `Had not answered by ${facts.deadline}, but there is no proof of notice, so the right stays; call and note it`,
      }
    case 'contacted': {
      const outcome = contactOutcomes[facts.outcome ?? 0] ?? { zh: '', en: '' }
      return {
        zh: `电话联系：${outcome.zh}${because(facts).zh}${facts.deadline ? `；确认期限延至 ${facts.deadline}` : ''}`,
        en: `Telephone: ${outcome.en}${because(facts).en}${facts.deadline ? `; the deadline moved to ${facts.deadline}` : ''}`,
      }
    }
    case 'passed':
      return { zh: `复审通过${because(facts).zh}`, en: `Passed the re-review${because(facts).en}` }
    case 'refused':
      return { zh: `复审不通过，取消资格${because(facts).zh}`, en: `Did not pass the re-review and is out${because(facts).en}` }
    case 'gaveUp':
      return { zh: `${name.zh}环节放弃${because(facts).zh}`, en: `Gave up (${name.en})${because(facts).en}` }
    case 'askedMore':
      return { zh: `需补充材料${because(facts).zh}`, en: `More papers are asked for${because(facts).en}` }
    case 'handedIn':
      return { zh: '已提交复审材料', en: 'Handed in papers for the re-review' }
    case 'enough':
      return { zh: `不需递补：${held(facts).zh}`, en: `Nobody has to move up: ${held(facts).en}` }
    case 'listEnded':
      return { zh: `无人可递补：${held(facts).zh}，名单已用完`, en: `Nobody is left to move up: ${held(facts).en}` }
    case 'ticketsOut':
      return { zh: '不再递补：面试准考证已发布', en: 'Nobody moves up any more: interview tickets are released' }
    case 'inCheck':
      return facts.stage === stage.recheck
        ? {
            zh: '暂不递补：成绩正在核对，重新发布后用“通知入围人员”补足',
            en: 'Nobody moves up for now: results are being checked; after their release “Call the shortlist” fills the place',
          }
        : {
            zh: '暂不递补：成绩正在核对，重新发布后用“确定体检人员”补足',
            en: 'Nobody moves up for now: results are being checked; after their release “Choose for the medical check” fills the place',
          }
    case 'noSubstitution':
      return {
        zh: `不递补：本考试${name.zh}环节不递补`,
        en: `Nobody moves up: this examination has no substitution at this stage (${name.en})`,
      }
    case 'tied':
      return {
        zh: `待定：${facts.count} 人${facts.rank == null ? '名次相同' : `当时同为第 ${facts.rank} 名`}，名额不足，须由招聘单位确定`,
        en: `Open: ${facts.count} people ${facts.rank == null ? 'share a rank' : `shared rank ${facts.rank} at that time`} and there are not places for all; the office decides`,
      }
    case 'entered':
      return {
        zh: `进入${name.zh}${score.zh && `（${score.zh}）`}`,
        en: `Enters: ${name.en}${score.en && ` (${score.en})`}`,
      }
    case 'stepPassed':
      return { zh: `${name.zh}合格${because(facts).zh}`, en: `Passed: ${name.en}${because(facts).en}` }
    case 'stepFailed':
      return { zh: `${name.zh}不合格${because(facts).zh}`, en: `Not passed: ${name.en}${because(facts).en}` }
    case 'stepFailing':
      return {
        zh: `${name.zh}不合格${because(facts).zh}；可于 ${facts.deadline} 前申请复检一次`,
        en: `Not passed: ${name.en}${because(facts).en}; a second check may be asked for once until ${facts.deadline}`,
      }
    case 'recheckAsked':
      return { zh: `申请复检，应于 ${facts.deadline} 前完成`, en: `A second check was asked for; due by ${facts.deadline}` }
    case 'recheckLapsed':
      return { zh: `${facts.deadline} 前未申请复检，体检不合格`, en: `No second check was asked for by ${facts.deadline}; not passed` }
    case 'hired':
      return { zh: '已聘用', en: 'Hired' }
    case 'objection':
      return { zh: '收到异议', en: 'An objection was recorded' }
    case 'objectionEnded':
      return { zh: `异议已核查${because(facts).zh}`, en: `The objection was looked into${because(facts).en}` }
    case 'restored':
      return { zh: `异议成立，恢复资格${because(facts).zh}`, en: `The objection was upheld; qualified again${because(facts).en}` }
    case 'notRestored':
      return { zh: `异议不成立，维持取消资格${because(facts).zh}`, en: `The objection was not upheld${because(facts).en}` }
    case 'disqualified':
      return { zh: `取消资格${because(facts).zh}`, en: `Disqualified${because(facts).en}` }
    case 'notChosen':
      return { zh: '未进入后续环节，招聘结束', en: 'Was not chosen; the recruitment has ended' }
  }
}

export interface RulePolicy {
  /** Hours that somebody who is called has to answer. */
  readonly confirmHours: number
  /** Whether somebody moves up after the interview where a person fails or gives up. */
  readonly substitute: boolean
  /** Calendar days within which a second medical check may be asked for, and working days within which it is done. */
  readonly medicalAskDays: number
  readonly medicalDoneDays: number
  /** Calls that nobody answered after which somebody counts as told, beside a text message that arrived. */
  readonly contacts: number
}
/** Where an examination says nothing else. The days of the medical check are those of the notice of 2010 and of provincial guides. */
export const rulePolicy: RulePolicy = { confirmHours: 48, substitute: true, medicalAskDays: 7, medicalDoneDays: 7, contacts: 3 }
