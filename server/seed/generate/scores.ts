import { formatHundredths } from '#contract/result/score.ts'
import { seedRandom } from './random.ts'

export interface ScoreOptions {
  readonly seed: number
  /** Shares of people or papers. */
  readonly absent?: number
  readonly disciplined?: number
  readonly zero?: number
  readonly exempt?: number
  readonly bonus?: number
  readonly mean?: number
  readonly deviation?: number
  readonly fullScore?: number
}

/** One row of a result list (T6) as text. */
export interface GeneratedScore {
  readonly ticketNo: string
  readonly name: string
  readonly itemCode: string
  readonly score: string
  readonly state: '正常' | '缺考' | '违纪' | '零分' | '免试'
  readonly bonus: string
  readonly remark: string
}

const OFFENCES = ['携带通讯工具进入座位', '考试结束信号发出后继续答题', '未在规定座位参加考试'] as const

/**
 * Makes results for ticket holders, one per person and paper, deterministic by seed. One person has the same ability, and mostly the
 * same attendance, in all papers.
 */
export function generateScores(
  people: readonly { readonly ticketNo: string; readonly name: string; readonly itemCodes: readonly string[] }[],
  options: ScoreOptions,
): GeneratedScore[] {
  const { absent = 0.12, disciplined = 0.002, zero = 0.0005, exempt = 0.001, bonus = 0.01 } = options
  const { mean = 62, deviation = 12, fullScore = 100 } = options
  const random = seedRandom(options.seed * 2246822519)
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return people.flatMap(({ ticketNo, name, itemCodes }) => {
    const stayedAway = random.next() < absent
    const ability = gauss() * deviation * 0.85
    const bonusText = random.next() < bonus ? random.pick(['2', '3', '5']) : ''
    return itemCodes.map((itemCode): GeneratedScore => {
      const row = { ticketNo, name, itemCode, score: '', bonus: '', remark: '' }
      const away = random.next() < (stayedAway ? 0.97 : 0.006)
      const chance = random.next()
      if (away) return { ...row, state: '缺考' }
      if (chance < disciplined) return { ...row, state: '违纪', remark: random.pick(OFFENCES) }
      if (chance < disciplined + zero) return { ...row, state: '零分', remark: '答题卡未填涂' }
      if (chance < disciplined + zero + exempt) return { ...row, state: '免试', remark: '按公告规定免笔试' }
      const points = Math.min(fullScore, Math.max(1, mean + ability + gauss() * deviation * 0.5))
      return { ...row, state: '正常', score: formatHundredths(Math.round(points * 100)), bonus: bonusText }
    })
  })
}
