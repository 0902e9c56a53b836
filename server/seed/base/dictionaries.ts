import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { examMachine, postStates } from '#contract/exam/exam.state.ts'
import type { States } from '#contract/kernel/machine.ts'
import { resources } from '#contract/nouns.ts'
import { dueMachine, invoiceStates, orderMachine } from '#contract/pay/order.state.ts'
import { recheckMachine } from '#contract/selection/selection.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { parseCsvRecords } from '#kernel/csv.ts'

export interface DictionarySeed {
  readonly code: string
  readonly zh: string
  readonly en: string
  /** A sealed entry is offered once an office opens it. */
  readonly entries: readonly (readonly [key: string, zh: string, en: string, isSealed?: boolean])[]
}

const read = (name: string): Record<string, string>[] =>
  parseCsvRecords(readFileSync(fileURLToPath(new URL(`../data/${name}`, import.meta.url)), 'utf8'))

const politicalEnglish: Record<string, string> = {
  '01': 'CPC member',
  '02': 'CPC probationary member',
  '03': 'Communist Youth League member',
  '04': 'Revolutionary Committee of the Kuomintang, member',
  '05': 'China Democratic League, member',
  '06': 'China National Democratic Construction Association, member',
  '07': 'China Association for Promoting Democracy, member',
  '08': 'Chinese Peasants’ and Workers’ Democratic Party, member',
  '09': 'China Zhi Gong Party, member',
  '10': 'Jiusan Society, member',
  '11': 'Taiwan Democratic Self-Government League, member',
  '12': 'No party affiliation',
  '13': 'Masses',
}

/** What GB/T 3304 does not count among the 56. */
const nationEnglish: Record<string, string> = { '97': 'Other', '98': 'Chinese citizen of foreign descent' }

const fixed = (code: string, zh: string, en: string, entries: readonly string[]): DictionarySeed => ({
  code,
  zh,
  en,
  entries: entries.map(entry => {
    const [key = '', label = '', english = label] = entry.split('|')
    return [key, label, english] as const
  }),
})

/** The states of the contract under the code by which lists, exports and other programs ask for them. */
const ofStates = <S extends string>(code: string, zh: string, en: string, { wire, label }: States<S>): DictionarySeed => ({
  code,
  zh,
  en,
  entries: (Object.keys(wire) as S[]).map(state => [String(wire[state]), label[state].zh, label[state].en] as const),
})

/** Those that stand with the nouns whose fields they are of, each once. */
export const declaredDictionaries = (): readonly DictionarySeed[] => [
  ...new Map(
    resources
      .flatMap(({ dictionaries = [] }) => dictionaries)
      .map(({ code, label, entries }) => [
        code,
        { code, ...label, entries: entries.map(entry => [entry.key, entry.label.zh, entry.label.en] as const) },
      ]),
  ).values(),
]

/** Business dictionaries of domain 13.1; nation and political come from the national standards' lists. */
export const dictionarySeeds = (): readonly DictionarySeed[] => [
  fixed('exam_type', '考试类型', 'Examination type', [
    '1|事业单位公开招聘|Public-institution recruitment',
    '2|编外招聘|Contract-staff recruitment',
    '3|卫生专业/执业资格考试|Health-profession qualification',
    '4|规培/进修招录|Residency training intake',
    '5|其他|Other',
  ]),
  ofStates('exam_state', '考试状态', 'Examination state', examMachine),
  ofStates('examine_state', '审核状态', 'Review state', signupMachine),
  fixed('examine_result', '审核结果', 'Review result', ['1|通过|Pass', '2|退回修改|Return', '3|不通过|Refuse']),
  ofStates('pay_state', '缴费状态', 'Payment state', dueMachine),
  ofStates('order_state', '订单状态', 'Order state', orderMachine),
  fixed('pay_way', '缴费方式', 'Way of payment', [
    '1|微信扫码|WeChat QR code',
    '2|银行转账|Bank transfer',
    '3|现金/POS|Cash or POS',
    '4|单位代缴|Paid by unit',
    '5|支付宝|Alipay',
    '6|非税缴款码|Non-tax payment number',
  ]),
  ofStates('invoice_state', '票据状态', 'Receipt state', invoiceStates),
  ofStates('ticket_state', '准考证状态', 'Ticket state', ticketMachine),
  fixed('result_state', '成绩状态', 'Result state', [
    '1|正常|Normal',
    '2|缺考|Absent',
    '3|违纪|Disciplined',
    '4|零分|Zero',
    '5|缓考/免试|Exempt',
  ]),
  // After the rule of 2017 on breaches in open recruitment (人社部令第35号). Without the numbers of its articles: an office adds them from the text in force.
  fixed('violation_clause', '违纪条款', 'Clause of a violation', [
    '6-1|携带规定以外的物品进入考场且未放在指定位置，经提醒仍不改正|Brought what is not allowed and did not put it aside when told',
    '6-2|未在规定座位参加考试，或擅自离开座位、考场，经提醒仍不改正|Did not keep to the seat or left it when told not to',
    '6-3|经提醒仍不按规定填写、填涂本人信息|Did not fill in the own details when told to',
    '6-4|在规定以外位置标注本人信息或作其他特殊标记|Marked papers with a name or sign in the wrong place',
    '6-5|开始信号发出前答题或结束信号发出后继续答题，经提醒仍不停止|Wrote before the start or after the end when told to stop',
    '6-6|将试卷、答题卡、答题纸带出考场或故意损坏|Took papers out of the room or damaged them',
    '7-1|抄袭、协助他人抄袭|Copied or helped somebody to copy',
    '7-2|互相传递试卷、答题纸、答题卡、草稿纸等|Passed papers to somebody',
    '7-3|持伪造证件参加考试|Came with a forged document',
    '7-4|使用具有发送、接收信息功能的非规定工具|Used a device that sends or receives',
    '7-5|考试结束前传播试题及答案|Spread questions or answers before the end',
    '8-1|串通作弊或参与有组织作弊|Took part in organised cheating',
    '8-2|代替他人或让他人代替自己参加考试|Sat for somebody else or had somebody sit',
    '9|其他违纪违规行为|Another violation',
  ]),
  ofStates('review_state', '复审状态', 'State of the re-review', recheckMachine),
  fixed('stage', '招聘环节', 'Stage of recruitment', [
    '1|报名|Sign-up',
    '2|笔试|Written',
    '3|资格复审|Re-review',
    '4|面试|Interview',
    '5|体检|Medical check',
    '6|考察|Vetting',
    '7|公示|Publicity',
    '8|聘用|Hire',
    '9|淘汰|Out',
  ]),
  fixed('item_type', '科目类型', 'Paper type', ['1|笔试|Written', '2|面试|Interview', '3|技能操作|Practical', '4|体测|Physical']),
  fixed('notice_type', '公告类型', 'Notice type', [
    '1|招聘公告|Recruitment',
    '2|通知|Notice',
    '3|公示|Publicity',
    '4|政策|Policy',
    '5|常见问题|Questions',
  ]),
  ofStates('post_state', '岗位状态', 'Post state', postStates),
  fixed('code_kind', '编码类型', 'Code kind', ['1|用人单位|Hiring unit', '2|考点|Exam site', '3|院校|School', '4|其他|Other']),
  fixed('org_category', '部门类型', 'Kind of department', ['1|机构|Organisation', '2|部门|Department', '3|科室|Section', '4|小组|Team']),
  fixed('post_category', '职务类型', 'Duty post category', ['1|高层|Senior', '2|中层|Middle', '3|基层|Base', '4|其他|Other']),
  fixed('sex', '性别', 'Sex', ['1|男|Male', '2|女|Female']),
  fixed('id_card_type', '证件类型', 'Id card type', [
    '1|居民身份证|Resident identity card',
    '2|港澳台居民居住证|HK, Macao, Taiwan residence permit',
    "3|外国人永久居留身份证|Foreigner's permanent residence card",
    '4|护照|Passport',
  ]),
  fixed('education', '学历', 'Education', [
    '10|研究生|Postgraduate',
    '20|本科|Bachelor',
    '28|技工院校预备技师(技师)|Technician class of a technical school',
    '30|专科|College',
    '38|技工院校高级工|Senior worker class of a technical school',
    '40|中专|Secondary vocational',
    '60|高中|Senior high',
    '70|初中以下|Junior high or below',
  ]),
  fixed('education_type', '学习形式', 'Form of study', ['1|全日制|Full time', '2|非全日制|Part time']),
  fixed('degree', '学位', 'Degree', ['1|博士|Doctor', '2|硕士|Master', '3|学士|Bachelor', '4|无|None']),
  fixed('marriage', '婚姻状况', 'Marital status', ['10|未婚|Single', '20|已婚|Married', '30|丧偶|Widowed', '40|离婚|Divorced']),
  fixed('post_type', '岗位类别', 'Post category', [
    'A|医疗|Medical',
    'B|护理|Nursing',
    'C|医技|Medical technology',
    'D|药学|Pharmacy',
    'E|公卫|Public health',
    'F|管理|Management',
    'G|工勤|Service',
  ]),
  fixed('cert', '执业资格', 'Licence', [
    '执业医师|执业医师|Licensed physician',
    '执业助理医师|执业助理医师|Licensed assistant physician',
    '护士|护士|Nurse',
    '药师|药师|Pharmacist',
    '执业药师|执业药师|Licensed pharmacist',
    '技师|技师|Technologist',
    '全科转岗|全科转岗|General-practice conversion',
    '规培合格|规培合格|Residency training completed',
  ]),
  fixed('title', '职称', 'Professional title', [
    '初级(士)|初级(士)|Junior (assistant)',
    '初级(师)|初级(师)|Junior',
    '中级|中级|Intermediate',
    '副高|副高|Associate senior',
    '正高|正高|Senior',
  ]),
  fixed('fresh', '应届情况', 'Fresh graduate', [
    '1|应届|Fresh graduate',
    '2|往届|Earlier graduate',
    '3|择业期内|Within the two-year job-choice period',
  ]),
  fixed('service_project', '基层服务项目', 'Grass-roots service', [
    '西部计划|西部计划|Western plan',
    '三支一扶|三支一扶|Three supports',
    '特岗全科|特岗全科|Special-post GP',
    '大学生村官|大学生村官|Village official',
  ]),
  fixed('disability', '残疾情况', 'Disability', ['0|无|None', '1|有|Yes']),
  fixed('yes_no', '是否', 'Yes or no', ['0|否|No', '1|是|Yes']),
  fixed('reason_refund', '退费原因', 'Refund reason', [
    '1|岗位取消|Post cancelled',
    '2|重复缴费|Paid twice',
    '3|误缴|Paid by mistake',
    '4|迟到支付|Late payment',
    '9|其他|Other',
  ]),
  {
    code: 'nation',
    zh: '民族',
    en: 'Nation',
    entries: read('nations.csv').map(
      ({ code = '', name = '', romanName, remark }) =>
        [code, name, romanName || (nationEnglish[code] ?? name), remark?.includes('默认停用') === true] as const,
    ),
  },
  {
    code: 'political',
    zh: '政治面貌',
    en: 'Political status',
    entries: read('political.csv').map(({ code = '', name = '' }) => [code, name, politicalEnglish[code] ?? name] as const),
  },
]
