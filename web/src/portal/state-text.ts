import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import type { Tone } from './kit/ui.tsx'

export const zh = {
  'phase.notStarted': '未开始',
  'phase.signing': '报名中',
  'phase.examining': '审核中',
  'phase.paying': '缴费中',
  'phase.adjusting': '改报中',
  'phase.ticketing': '准考证打印中',
  'phase.examDay': '考试中',
  'phase.scoring': '评卷中',
  'phase.reviewing': '资格复审中',
  'phase.interviewing': '面试中',
  'phase.publicity': '公示中',
  'phase.finished': '已结束',
  'phase.closed': '已关闭',
  'examType.1': '事业单位公开招聘',
  'examType.2': '编外招聘',
  'examType.3': '卫生专业资格考试',
  'examType.4': '规培招录',
  'examType.5': '其他',
  'examine.0': '未提交',
  'examine.1': '审核中',
  'examine.2': '审核中',
  'examine.3': '需修改',
  'examine.4': '未通过',
  'examine.5': '审核通过',
  'examine.6': '已撤回',
  'examine.7': '已取消资格',
} as const

const stateTexts = defineTexts(zh, async () => (await import('./first-en.ts')).stateEn)

type Key = keyof typeof zh

/** Words for the numbers of the wire, as a candidate reads them (domain 4.2: a reviewer's two levels are one "under review"). */
export const useStateText = () => {
  const t = useT(stateTexts)
  const of = (prefix: string, value: string | number): string => {
    const key = `${prefix}.${value}`
    return key in zh ? (t as (key: Key) => string)(key as Key) : ''
  }
  return {
    phase: (phase: string) => of('phase', phase),
    examType: (type: number) => of('examType', type),
    examine: (state: number) => of('examine', state),
  }
}

export const examineTone = (examine: number): Tone =>
  (['neutral', 'active', 'active', 'warning', 'danger', 'success', 'neutral', 'danger'] as const)[examine] ?? 'neutral'

export const phaseTone = (phase: string): Tone =>
  phase === 'signing' ? 'success' : phase === 'notStarted' ? 'active' : ['finished', 'closed'].includes(phase) ? 'neutral' : 'warning'
