import { expect, test } from 'vitest'
import { type DownloadFacts, downloadRefusal } from './download-refusal.ts'
import type { SeatFacts } from './seat-bar.ts'

const at = (time: string): Date => new Date(`2026-03-${time}+08:00`)
const entitled: SeatFacts = { examine: 'passed', payState: 'paid', refundWaits: 'none', reductionState: 0 }
const fine: DownloadFacts = {
  states: [{ state: 'released', isReleased: true }],
  seat: entitled,
  isPaperReleased: true,
  begin: at('24T09:00:00'),
  end: at('28T09:00:00'),
  needRead: false,
  isRead: false,
  needUpload: false,
  isUploaded: false,
}
const said = (facts: Partial<DownloadFacts>, now = at('25T10:00:00')) => downloadRefusal({ ...fine, ...facts }, now)?.text.zh ?? null
const seat = (more: Partial<SeatFacts>) => ({ seat: { ...entitled, ...more } })

test('[19.9][19.10] why a ticket cannot be printed is the true reason, whatever else is so', () => {
  const noTicket = { states: [], isPaperReleased: false }
  const ways: Partial<DownloadFacts>[] = [{}, noTicket, { states: [{ state: 'void', isReleased: true }] }, { begin: at('26T09:00:00') }]
  for (const more of ways)
    expect([
      said({ ...more, ...seat({ payState: 'due' }) }),
      said({ ...more, ...seat({ payState: 'overdue' }) }),
      said({ ...more, ...seat({ payState: 'refunding' }) }),
      said({ ...more, ...seat({ payState: 'refunded' }) }),
      said({ ...more, ...seat({ refundWaits: 'own' }) }),
      said({ ...more, ...seat({ refundWaits: 'other' }) }),
      said({ ...more, ...seat({ examine: 'disqualified', payState: 'due' }) }),
      said({ ...more, ...seat({ reductionState: 1 }) }),
    ]).toEqual([
      '还有未缴费用，缴清后才能打印准考证',
      '逾期未缴费，不能参加本次考试',
      '正在退费，不再参加本次考试',
      '已退费，不再参加本次考试',
      '退费申请处理中，不能打印准考证；审批前可在“我的缴费”撤回申请',
      '工作人员已为您申请退费，不能打印准考证；如有疑问请联系考务',
      '报名资格已被取消，不再参加本次考试；决定和救济途径见“复审与聘用”',
      '不具备考试资格',
    ])
  expect([
    said({}),
    said(seat({ payState: 'none' })),
    said(noTicket),
    said({ ...noTicket, isPaperReleased: true }),
    said({ states: [{ state: 'void', isReleased: true }] }),
    said({}, at('24T08:59:59')),
    said({}, at('24T09:00:00')),
    said({}, at('28T09:00:00')),
    said({ begin: null, end: null }, at('29T09:00:00')),
    said({ needRead: true }),
    said({ needUpload: true }),
  ]).toEqual([
    null,
    null,
    '准考证未发布',
    '准考证已发布，但您还没有编排座位，请联系考务',
    '准考证已作废',
    '还没到打印时间，2026-03-24 09:00 起可打印',
    null,
    '打印已于 2026-03-28 09:00 截止',
    null,
    '请先阅读须知',
    '请先上传防疫材料',
  ])
})
