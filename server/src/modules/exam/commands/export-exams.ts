import type { exportExams } from '#contract/exam/exam.routes.ts'
import { endText } from '#contract/kernel/end-text.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import { planSheet } from '#kernel/crud/export.ts'
import type { Ctx, ExportPlan } from '#kernel/http/context.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { pageOfExams } from './read-exam.ts'

type ExamLine = Awaited<ReturnType<typeof pageOfExams>>['records'][number]
const batch = 200

/** The examinations of the list as a workbook, with how many signed up, passed and paid. */
export const planExams = async (ctx: Ctx, input: InputOf<typeof exportExams>): Promise<ExportPlan> => {
  const read = (current: number, size: number) => ctx.tx(db => pageOfExams(ctx, db, { ...input, current, size }))
  const [{ total }, words] = [await read(1, 1), await ctx.tx(db => readDictionaries(db, ['exam_type', 'exam_state']))]
  const wordOf = (code: string, key: number): string => {
    const entry = (words[code] ?? []).find(one => one.key === String(key))
    return entry ? ctx.say(entry) : String(key)
  }
  async function* rows(): AsyncGenerator<ExamLine> {
    for (let current = 1; (current - 1) * batch < total; current += 1) yield* (await read(current, batch)).records
  }
  const time = (zh: string, en: string, name: 'signBegin' | 'signEnd' | 'examineEnd' | 'payBegin' | 'payEnd') => ({
    name,
    label: { zh, en },
    value: (row: ExamLine) => (name.endsWith('End') ? endText(row[name] ?? '') : (row[name] ?? '')),
  })
  const count = (label: Label, name: 'postCount' | 'planTotal' | 'signCount' | 'passCount' | 'paidCount') => ({
    name,
    label,
    kind: 'number' as const,
    value: (row: ExamLine) => row[name],
  })
  return planSheet(ctx, {
    label: { zh: '考试列表', en: 'Examinations' },
    action: 'examination.exported',
    entity: 'examination',
    filter: input,
    total,
    columns: [
      { name: 'examCode', label: { zh: '考试编码', en: 'Code' }, value: row => row.examCode },
      { name: 'examName', label: { zh: '考试名称', en: 'Name' }, value: row => row.examName },
      { name: 'year', label: { zh: '年度', en: 'Year' }, value: row => String(row.year) },
      { name: 'examType', label: { zh: '类型', en: 'Type' }, value: row => wordOf('exam_type', row.examType) },
      { name: 'state', label: { zh: '状态', en: 'State' }, value: row => wordOf('exam_state', row.state) },
      { name: 'phase', label: { zh: '阶段', en: 'Phase' }, value: row => row.phaseLabel },
      { name: 'deptName', label: { zh: '所属部门', en: 'Department' }, value: row => row.deptName },
      { name: 'organizer', label: { zh: '主办单位', en: 'Organizer' }, value: row => row.organizer },
      { name: 'contactPhone', label: { zh: '咨询电话', en: 'Enquiries' }, value: row => row.contactPhone },
      time('报名开始', 'Sign-up begins', 'signBegin'),
      time('报名结束', 'Sign-up ends', 'signEnd'),
      time('审核结束', 'Review ends', 'examineEnd'),
      time('缴费开始', 'Payment begins', 'payBegin'),
      time('缴费结束', 'Payment ends', 'payEnd'),
      {
        name: 'feeFen',
        label: { zh: '报名费(元)', en: 'Fee (yuan)' },
        kind: 'decimal',
        value: row => (row.feeMode === 1 ? formatFen(row.feeFen) : ''),
      },
      count({ zh: '岗位数', en: 'Posts' }, 'postCount'),
      count({ zh: '招聘人数', en: 'Vacancies' }, 'planTotal'),
      count(signupFigures.signedUp.label, 'signCount'),
      count(signupFigures.passed.label, 'passCount'),
      count(signupFigures.paid.label, 'paidCount'),
    ],
    rows: rows(),
  })
}
