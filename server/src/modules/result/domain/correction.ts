import type { Refusal } from '#contract/kernel/refusal.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import { formatHundredths, parseHundredths } from '#contract/result/score.ts'
import type { PaperResult, ResultState } from './standing.ts'

export interface CorrectedValue {
  readonly score: string | null
  readonly resultState: number
  readonly bonus: string
  readonly remark: string | null
}

const refuse = (zh: string, en: string): Refusal => ({ ...refuseResult('result/score', { detail: '' }), text: { zh, en } })

/** What a value that counts is in the ranking: with the bonus, in hundredths. */
export const correctedResult = ({ score, resultState, bonus }: CorrectedValue): PaperResult => {
  const [of, more] = [parseHundredths(score ?? '', 99_999), parseHundredths(bonus, 99_999)]
  const bonusHundredths = more.ok ? more.hundredths : 0
  return {
    state: resultState as ResultState,
    finalHundredths: resultState === 1 && of.ok ? of.hundredths + bonusHundredths : null,
    bonusHundredths,
  }
}

/** A corrected result, checked as an imported one is: a score only with state 1, at most two decimals, not above the full score. */
export const correctedValue = (
  current: CorrectedValue,
  wanted: {
    readonly score?: string | null | undefined
    readonly resultState?: number | undefined
    readonly bonus?: string | undefined
    readonly remark?: string | null | undefined
  },
  fullScore: string,
): { readonly value: CorrectedValue; readonly finalScore: string | null } | Refusal => {
  const resultState = wanted.resultState ?? current.resultState
  const given = wanted.score === undefined ? (resultState === 1 ? current.score : null) : wanted.score
  const bonus = parseHundredths(wanted.bonus ?? current.bonus, 99_999)
  if (!bonus.ok) return refuse('加分应为 0–999.99 且最多两位小数', 'The bonus must be 0–999.99 with at most two decimals')
  const rest = {
    resultState,
    bonus: formatHundredths(bonus.hundredths),
    remark: wanted.remark === undefined ? current.remark : wanted.remark,
  }
  if (resultState !== 1) {
    if (given !== null && given !== '')
      return refuse('考试状态不是“正常”时成绩应为空', 'The score must be empty unless the state is normal')
    return { value: { score: null, ...rest }, finalScore: null }
  }
  const score = parseHundredths(given ?? '')
  const full = parseHundredths(fullScore)
  if (!score.ok || (full.ok && score.hundredths > full.hundredths))
    return refuse(`成绩应为 0–${fullScore} 且最多两位小数`, `The score must be 0–${fullScore} with at most two decimals`)
  return {
    value: { score: formatHundredths(score.hundredths), ...rest },
    finalScore: formatHundredths(score.hundredths + bonus.hundredths),
  }
}
