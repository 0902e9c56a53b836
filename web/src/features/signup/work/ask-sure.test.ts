import { expect, test, vi } from 'vitest'
import { askSure } from './ask-sure.ts'
import { doubtsAbout } from './doubts.ts'

const asked: unknown[] = []
let answer = true
vi.mock('#web/ui/dialog.tsx', () => ({
  confirm: async (question: unknown) => {
    asked.push(question)
    return answer
  },
}))

type Signup = Parameters<typeof doubtsAbout>[0]
const check = (rule: string, result: 'ok' | 'warn' | 'no', ruleLabel: string) => ({ rule, result, ruleLabel }) as Signup['checks'][number]
const doubtfulPhoto = check('photo', 'warn', '证件照')
const signup = (checks: Signup['checks'], photoState = 0): Signup => ({ checks, photoState })

test('whom nothing speaks against is passed without a question; a portrait that no machine can judge needs one, until somebody has judged it', () => {
  const met = [check('education', 'ok', '学历'), check('major', 'warn', '专业')]
  expect(doubtsAbout(signup(met), {}, null)).toBeUndefined()
  expect(doubtsAbout(signup(met), {}, null, ['缴费已截止'])).toEqual({
    red: [],
    advices: 0,
    isBad: false,
    isUnjudged: false,
    late: ['缴费已截止'],
  })
  const unjudged = { red: [], advices: 0, isBad: false, isUnjudged: true, late: [] }
  expect(doubtsAbout(signup([...met, doubtfulPhoto]), {}, null)).toEqual(unjudged)
  // Marked good a moment ago, or in an earlier review; then unmarked again.
  expect(doubtsAbout(signup([doubtfulPhoto]), {}, 1)).toBeUndefined()
  expect(doubtsAbout(signup([doubtfulPhoto], 1), {}, null)).toBeUndefined()
  expect(doubtsAbout(signup([doubtfulPhoto], 1), {}, 0)).toEqual(unjudged)
  expect(doubtsAbout(signup([doubtfulPhoto], 1), {}, 2)).toEqual({ ...unjudged, isBad: true, isUnjudged: false })
})

test('the question names everything that speaks against it, and its answer decides', async () => {
  const advices = { 'item:degree': { kind: 'item', key: 'degree', advice: '请改' } } as const
  const doubts = doubtsAbout(signup([check('education', 'no', '学历'), check('sex', 'no', '性别'), doubtfulPhoto]), advices, null)
  if (doubts === undefined) throw new Error('nothing speaks against it')
  expect(await askSure(doubts)).toBe(true)
  answer = false
  expect(await askSure({ red: [], advices: 0, isBad: true, isUnjudged: false, late: ['审核已于 2026-03-21 17:00 截止'] })).toBe(false)
  expect(asked).toEqual([
    {
      title: '确定通过？',
      text: '自动核验有 2 项不符合岗位条件：学历、性别\n您写的 1 处修改意见不会发给考生\n照片需人工判断，还没有标记合格或不合格',
      ok: '仍然通过',
      danger: true,
    },
    { title: '确定通过？', text: '照片标记为不合格\n审核已于 2026-03-21 17:00 截止', ok: '仍然通过', danger: true },
  ])
})
