import type { PostInput } from '#modules/exam/domain/post-sheet.ts'
import { dayAt, interviewDay, type Windows, windowsFrom, writtenDay } from './calendar.ts'
import { type PaperWish, roomsOf } from './exams.ts'
import type { Row } from './rows.ts'

/** Sign-up began so many days ago (decision 1.6). */
const beganDaysAgo = 3

export const promise =
  '本人承诺：所填报的信息和提交的材料真实、准确、完整；已阅读并理解招聘公告和岗位要求；遵守考试纪律，服从考试安排。如有弄虚作假，自愿取消报考或聘用资格，并承担相应责任。'

const notice = (name: string): string =>
  `<h3>${name}公告</h3><p>为补充卫生健康系统专业技术人员，现面向社会公开招聘工作人员，报考条件以岗位表为准。</p><ul><li>报名方式：网上报名，资格初审和复核均在网上进行。</li><li>缴费：复核通过后扫码缴纳报名费。</li><li>准考证：在规定时间内自行下载打印。</li></ul>`

export interface ExamFacts {
  readonly name: string
  readonly code: string
  readonly examNo: number
  readonly year: number
  readonly organizer: string
  readonly phone: string
  readonly levels: 1 | 2
  readonly managers: readonly string[]
  readonly deptId: string
}

/** Columns of `examination` for recruitment by posts with a fee per post. */
export const examColumns = (facts: ExamFacts, windows: Windows | Row): Row => ({
  exam_name: facts.name,
  exam_code: facts.code,
  exam_no: facts.examNo,
  year: facts.year,
  exam_type: 1,
  organizer: facts.organizer,
  undertaker: '区卫生人才服务中心',
  contact_phone: facts.phone,
  description: notice(facts.name),
  promise,
  ...windows,
  pay_limit_minutes: 30,
  fee_mode: 3,
  fee_fen: 0,
  pay_when: 1,
  allow_second: true,
  allow_change_post: true,
  examine_levels: facts.levels,
  open_ratio: 3,
  ratio_basis: 2,
  refund_policy: 1,
  managers: facts.managers,
  dept_id: facts.deptId,
})

/** The common paper in the morning, those of the professions in the afternoon in shared rooms, the interview weeks later. */
export const paperWishes = (
  today: Date,
  begin: number,
  posts: readonly PostInput[],
  roomCount: number,
  more?: (code: string) => (id: string) => Row,
): PaperWish[] => {
  const codes = [...new Set(posts.flatMap(post => post.itemCodes))].sort()
  const firstOfAfternoon = codes.find(code => code !== '01' && code !== '51')
  return codes.map(code => ({
    code,
    startTime:
      code === '51'
        ? dayAt(today, begin + interviewDay, '09:00:00')
        : code === '01'
          ? dayAt(today, begin + writtenDay, '09:00:00')
          : dayAt(today, begin + writtenDay, '14:00:00'),
    minutes: code === '51' ? 480 : code === '01' ? 90 : 120,
    rooms: code === '01' || code === firstOfAfternoon ? roomsOf(roomCount) : [],
    weight: code === '51' ? 100 : code === '01' ? 40 : 60,
    ...(code === '51' ? {} : { seatGroup: code === '01' ? 'A' : 'B' }),
    ...(more ? { more: more(code) } : {}),
  }))
}

export const releasedWindows = (today: Date): Windows => windowsFrom(today, -beganDaysAgo)
