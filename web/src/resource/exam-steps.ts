import type { Label } from '#web/kernel/i18n/index.ts'

/** The eight steps of the wizard (domain 6.1), counted from 0. Papers come before posts: the table of posts names the papers that a post sits. */
export const steps = [
  { key: 'basic', title: { zh: '基本信息', en: 'Basics' } },
  { key: 'times', title: { zh: '时间轴', en: 'Timeline' } },
  { key: 'papers', title: { zh: '考试项目与费用', en: 'Papers and fees' } },
  { key: 'posts', title: { zh: '岗位导入', en: 'Posts' } },
  { key: 'fields', title: { zh: '报名项', en: 'Form fields' } },
  { key: 'files', title: { zh: '材料', en: 'Files' } },
  { key: 'review', title: { zh: '审核设置', en: 'Review' } },
  { key: 'publish', title: { zh: '检查并发布', en: 'Check and release' } },
] as const satisfies readonly { readonly key: string; readonly title: Label }[]
export type StepKey = (typeof steps)[number]['key']

export const indexOfStep = (key: StepKey): number => steps.findIndex(step => step.key === key)

const rules: readonly (readonly [RegExp, StepKey])[] = [
  [
    /^(sign(Begin|End)|modifyEnd|examine(Begin|End)|appealEnd|pay(Begin|End)|adjust(Begin|End)|(ms)?[tT]icket(Begin|End)|scoreBegin)/,
    'times',
  ],
  [/^(posts?|typeCodes?|type_code)/i, 'posts'],
  [/^(signitems|signItems|form)/, 'fields'],
  [/^(signfiles|signFiles|files?|photo)/, 'files'],
  [/^(exam[iI]tems|items|papers?|fee|pay|refundPolicy|feeWaiver)/, 'papers'],
  [
    /^(examineLevels|allotMode|allow|fresh|residency|changePost|openRatio|ratioBasis|shortlistRatio|writtenWeight|interviewWeight|scoreScale|passScore|interviewPass|tieBreak|regionLabel|hideCounts|needSignature)/,
    'review',
  ],
  [/^(name|exam(Name|Code|No|Type)|year|organizer|undertaker|contactPhone|deptId|managers|description|promise|cover)/, 'basic'],
]

/** In which step the field at `path` of a problem is mended; null when no step has it. */
export const stepOfPath = (path: string): number | null => {
  const key = rules.find(([pattern]) => pattern.test(path))?.[1]
  return key === undefined ? null : indexOfStep(key)
}
