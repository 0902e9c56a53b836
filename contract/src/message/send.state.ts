import type { Tone } from '../kernel/field.ts'
import type { Label } from '../kernel/label.ts'

/** States of a task (domain 4.8). */
export const sendStates: Readonly<Record<number, Label>> = {
  0: { zh: '草稿', en: 'draft' },
  1: { zh: '待审批', en: 'waits for approval' },
  2: { zh: '发送中', en: 'sending' },
  3: { zh: '完成', en: 'done' },
  4: { zh: '失败', en: 'failed' },
  5: { zh: '已取消', en: 'cancelled' },
}
export const sendTones: Readonly<Record<number, Tone>> = { 0: 'draft', 1: 'waiting', 2: 'active', 3: 'passed', 4: 'refused', 5: 'closed' }

/** How a task is called that somebody has to look after before it goes on. */
export const pausedState: Label = { zh: '已暂停', en: 'paused' }

/** More people than this need a second person's word; unit staff always do. */
export const approvalAbove = 100
export const mostPeople = 50_000

export const audiences = ['all', 'passed', 'unpaid', 'notDownloaded', 'shortlisted', 'workbook'] as const
export type Audience = (typeof audiences)[number]
export const audienceLabels: Readonly<Record<Audience, Label>> = {
  all: { zh: '全部报名人员', en: 'Everybody who has signed up' },
  passed: { zh: '审核通过', en: 'Whoever has passed' },
  unpaid: { zh: '待缴费', en: 'Whoever has not paid' },
  notDownloaded: { zh: '未打印准考证', en: 'Whoever has not printed the ticket' },
  shortlisted: { zh: '入围人员', en: 'Whoever is shortlisted' },
  workbook: { zh: '导入名单', en: 'A workbook' },
}

/** Who was left out of a task, and why. */
export const leftOutLabels = {
  noPhone: { zh: '没有手机号', en: 'no mobile number' },
  duplicate: { zh: '号码重复', en: 'number twice in the list' },
  repeat: { zh: '24 小时内已发过同一模板', en: 'had the same within 24 hours' },
  link: { zh: '内容含外部链接', en: 'a link to elsewhere in the text' },
} as const satisfies Readonly<Record<string, Label>>
export type LeftOut = keyof typeof leftOutLabels

export const waitReasons = {
  quiet: { zh: '免打扰时段，将自动继续', en: 'quiet hours: it goes on by itself' },
  budget: { zh: '今日短信额度已用完，明日自动继续', en: 'the budget of today is used up: it goes on tomorrow' },
  problem: { zh: '服务商拒绝，请处理后继续发送', en: 'the provider refuses: mend it, then go on' },
} as const satisfies Readonly<Record<string, Label>>
