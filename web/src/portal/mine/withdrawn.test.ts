import { expect, it } from 'vitest'
import type { PayNotice } from '../pay/schedule.ts'
import { withoutExam } from './withdrawn.ts'

it('takes the notices of the withdrawn sign-up away, and no others', () => {
  const of = (key: string, examId: string) => ({ key, due: { id: key, examId } }) as PayNotice
  const more: PayNotice = { key: 'more', more: 2 }
  expect(withoutExam([of('1', '7'), of('2', '8'), of('3', '7'), more], '7')).toEqual([of('2', '8'), more])
})
