import { date, decimal, dict, dictInt, instant, int, json, money, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { stateField } from '../kernel/state-field.ts'
import type { TableColumn, VisibleWhen } from '../signup/content.ts'
import { paperScoreStates, paperScoreWire, paperTicketWire } from './exam.state.ts'
import { formKeyHow, formKeyPattern } from './form-key.ts'
import { pixelShape, tableColumnsShape, visibleWhenShape } from './form-shapes.ts'
import { wordsOf } from './value-names.ts'

const label = (zh: string, en: string) => ({ zh, en })
/** The verbs S7.61 names for the nouns of an examination, and the workbook that every list has. */
const verbs = ['list', 'detail', 'submit', 'remove', 'export'] as const
/** Who sets examinations up, and who looks at what was set up. */
const office = ['admin', 'exam_admin'] as const
const lookers = ['unit_hr', 'reviewer1', 'reviewer2', 'auditor'] as const
const sort = int({ label: label('排序', 'Order'), min: 0, max: 99_999, list: false })
const status = int({
  label: label('状态', 'State'),
  min: 0,
  max: 1,
  default: 1,
  search: 'eq',
  widget: 'switch',
  words: { 1: label('启用', 'Enabled'), 0: label('停用', 'Disabled') },
  tones: { 1: 'passed', 0: 'closed' },
})
const yesNo = { 0: label('否', 'No'), 1: label('是', 'Yes') } as const
const zeroOne = (zh: string, en: string, value: 0 | 1) =>
  int({ label: label(zh, en), min: 0, max: 1, default: value, widget: 'switch', list: false })
const examId = ref('examination', { label: label('考试', 'Examination'), required: true, immutable: true, search: 'eq', list: false })

/** Units, sites, schools and other codes that narrow what an account sees (domain 3.6). */
export const userCode = defineResource({
  name: 'user-code',
  ownRules: true,
  basePath: '/blade-userCode/usercode',
  permission: 'usercode',
  menuPath: '/exam/userCode',
  menu: {
    under: 'exam',
    after: 'typecode',
    label: label('单位编码', 'Units and codes'),
    icon: 'unit',
    roles: office,
    readers: ['auditor'],
  },
  label: label('单位编码', 'Unit code'),
  verbs,
  order: 'sort',
  fields: {
    code: text(20, {
      label: label('编码', 'Code'),
      required: true,
      unique: true,
      search: 'like',
      pattern: '^[A-Za-z0-9_-]{1,20}$',
      help: label('字母、数字、下划线和连字符，最多 20 个', 'Letters, digits, underscores and hyphens, at most 20'),
    }),
    name: text(60, { label: label('名称', 'Name'), required: true, search: 'like', fact: 'none' }),
    codeKind: dictInt('code_kind', { label: label('类别', 'Kind'), required: true, min: 1, max: 4, search: 'eq' }),
    parentCode: text(20, { label: label('上级编码', 'Parent code') }),
    deptId: ref('dept', { label: label('所属部门', 'Department'), list: false }),
    contact: text(40, { label: label('联系人', 'Contact'), mask: 'name' }),
    phone: text(60, { label: label('联系电话', 'Phone'), mask: 'phone' }),
    address: text(200, { label: label('地址', 'Address'), list: false, mask: 'address' }),
    area: text(6, {
      label: label('行政区划', 'Region'),
      pattern: '^(\\d{6})?$',
      list: false,
      help: label('六位数字，如 330106', 'Six digits, as in 330106'),
    }),
    sort,
    status,
  },
})

const fieldShape = {
  itemLabel: text(40, { label: label('名称', 'Label'), required: true, search: 'like' }),
  itemLabelEn: text(80, { label: label('英文名称', 'Label in English') }),
  fieldType: text(20, {
    label: label('类型', 'Type'),
    required: true,
    search: 'eq',
    pattern: '^(text|textarea|number|date|month|select|radio|checkbox|cascader|region|school|major|table|image|signature|idcard|phone)$',
    help: label('从列表中选择', 'One of the list'),
    words: wordsOf('fieldType'),
  }),
  dictCode: text(60, { label: label('字典', 'Dictionary') }),
  columns: json<readonly TableColumn[]>()({ label: label('表格列', 'Columns'), list: false, shape: tableColumnsShape }),
  maxRows: int({ label: label('最多行数', 'Most rows'), min: 1, max: 50, list: false }),
  maxLen: int({ label: label('最大长度', 'Longest text'), min: 1, max: 5_000, list: false }),
  pattern: text(200, { label: label('校验规则', 'Pattern'), list: false }),
  minValue: text(20, { label: label('最小值', 'Least value'), list: false }),
  maxValue: text(20, { label: label('最大值', 'Greatest value'), list: false }),
  placeholder: text(100, { label: label('占位提示', 'Placeholder'), list: false }),
  help: text(200, { label: label('填写说明', 'Help'), list: false }),
  helpEn: text(400, { label: label('英文填写说明', 'Help in English'), list: false }),
  sensitive: int({
    label: label('敏感级别', 'Sensitivity'),
    min: 0,
    max: 2,
    default: 0,
    list: false,
    help: label('0 普通 1 个人 2 敏感', '0 normal, 1 personal, 2 sensitive'),
    words: wordsOf('sensitive'),
  }),
}
const key = (zh: string, en: string) => ({ label: label(zh, en), required: true, pattern: formKeyPattern, help: formKeyHow }) as const

/** Library of sign-up form fields (domain 3.3). */
export const item = defineResource({
  name: 'item',
  ownRules: true,
  basePath: '/blade-items/items',
  permission: 'items',
  menuPath: '/exam/items',
  menu: {
    under: 'exam',
    after: 'examitem',
    label: label('报名项库', 'Form fields'),
    icon: 'field',
    roles: office,
    readers: lookers,
  },
  label: label('报名项', 'Form field'),
  verbs,
  actions: ([1, 0] as const).map(status => ({
    key: status === 1 ? 'enable' : 'disable',
    label: status === 1 ? label('启用', 'Enable') : label('停用', 'Disable'),
    call: 'POST /blade-items/items/changeStatus',
    right: 'edit',
    row: { id: 'id' },
    body: { status },
    when: { status: status === 1 ? 0 : 1 },
    done: label('操作成功', 'Operation succeeded'),
  })),
  order: 'sort',
  fields: {
    itemKey: text(40, { ...key('标识', 'Key'), unique: true, immutable: true, search: 'like' }),
    ...fieldShape,
    builtIn: int({ label: label('内置', 'Built in'), form: false, default: 0, words: yesNo }),
    sort,
    status,
  },
})

/** A form field of one examination (domain 3.3). */
export const signItem = defineResource({
  name: 'sign-item',
  ownRules: true,
  basePath: '/blade-signitems/signitems',
  permission: 'signitems',
  menuPath: '/exam/signitems',
  menu: {
    under: 'exam',
    after: 'files',
    label: label('考试报名项', 'Exam form fields'),
    icon: 'field',
    roles: office,
    readers: lookers,
  },
  label: label('考试报名项', 'Exam form field'),
  verbs,
  order: 'sort',
  fields: {
    examId,
    itemsId: ref('item', { label: label('来自报名项库', 'From the library'), list: false, immutable: true }),
    itemKey: text(40, key('标识', 'Key')),
    ...fieldShape,
    required: zeroOne('必填', 'Required', 0),
    groupName: text(20, { label: label('分组', 'Group') }),
    groupNameEn: text(40, { label: label('分组英文名称', 'Group in English'), list: false }),
    visibleWhen: json<VisibleWhen>()({ label: label('显示条件', 'Shown when'), list: false, shape: visibleWhenShape }),
    lockAfterPass: zeroOne('通过后锁定', 'Locked after passing', 1),
    reviewerVisible: zeroOne('审核可见', 'Reviewers see it', 1),
    useInTicket: zeroOne('用于准考证', 'On the ticket', 0),
    useInExport: zeroOne('用于导出', 'In exports', 1),
    useInReport: zeroOne('用于统计', 'In reports', 0),
    sort,
  },
})

const fileShape = {
  fileLabel: text(40, { label: label('名称', 'Label'), required: true, search: 'like' }),
  fileLabelEn: text(80, { label: label('英文名称', 'Label in English') }),
  kind: int({ label: label('类别', 'Kind'), required: true, min: 1, max: 14, search: 'eq', words: wordsOf('kind') }),
  accept: text(60, {
    label: label('允许格式', 'Accepted formats'),
    pattern: '^(jpg|jpeg|png|pdf)(,(jpg|jpeg|png|pdf))*$',
    help: label('jpg、jpeg、png、pdf，用英文逗号隔开', 'jpg, jpeg, png, pdf, with commas between'),
    default: 'jpg,jpeg,png,pdf',
  }),
  maxKb: int({ label: label('最大 KB', 'Largest KB'), min: 1, max: 10_240, default: 2_048 }),
  minKb: int({ label: label('最小 KB', 'Least KB'), min: 0, max: 10_240, default: 0, list: false }),
  maxCount: int({ label: label('最多个数', 'Most files'), min: 1, max: 10, default: 1 }),
  pixel: json<{ minW: number; minH: number; maxW: number; maxH: number; ratio: readonly [number, number] }>()({
    label: label('像素要求', 'Pixels'),
    list: false,
    shape: pixelShape,
  }),
  sampleFileId: ref('file', { label: label('样例', 'Sample'), list: false }),
  help: text(300, { label: label('说明', 'Help'), list: false }),
  helpEn: text(600, { label: label('英文说明', 'Help in English'), list: false }),
}

/** Opens the sample for whoever reads the row, ten minutes long. */
const sampleLink = { sampleLink: text(500, { label: label('样例链接', 'Link of the sample') }) }

/** Library of required files (domain 3.4). */
export const fileKind = defineResource({
  name: 'file-kind',
  ownRules: true,
  basePath: '/blade-files/files',
  permission: 'files',
  menuPath: '/exam/files',
  menu: {
    under: 'exam',
    after: 'items',
    label: label('材料库', 'Required files'),
    icon: 'file',
    roles: office,
    readers: lookers,
  },
  label: label('材料', 'Required file'),
  verbs,
  order: 'sort',
  fields: { fileKey: text(40, { ...key('标识', 'Key'), unique: true, immutable: true, search: 'like' }), ...fileShape, sort, status },
  derived: sampleLink,
})

/** A file one examination asks for (domain 3.4). */
export const signFile = defineResource({
  name: 'sign-file',
  ownRules: true,
  basePath: '/blade-signfiles/signfiles',
  permission: 'signfiles',
  menuPath: '/exam/signfiles',
  menu: {
    under: 'exam',
    after: 'signitems',
    label: label('考试材料', 'Exam files'),
    icon: 'file',
    roles: office,
    readers: lookers,
  },
  label: label('考试材料', 'Exam file'),
  verbs,
  order: 'sort',
  fields: {
    examId,
    filesId: ref('file-kind', { label: label('来自材料库', 'From the library'), list: false, immutable: true }),
    fileKey: text(40, key('标识', 'Key')),
    ...fileShape,
    required: zeroOne('必传', 'Required', 0),
    visibleWhen: json<VisibleWhen>()({ label: label('显示条件', 'Shown when'), list: false, shape: visibleWhenShape }),
    stage: int({
      label: label('阶段', 'Stage'),
      min: 1,
      max: 2,
      default: 1,
      help: label('1 报名 2 资格复审', '1 sign-up, 2 re-review'),
      words: wordsOf('stage'),
    }),
    watermark: zeroOne('加水印', 'Watermark', 1),
    sort,
  },
  derived: sampleLink,
})

/** A paper of an examination (domain 3.2). */
export const examItem = defineResource({
  name: 'exam-item',
  ownRules: true,
  basePath: '/blade-examitem/examitem',
  permission: 'examitem',
  menuPath: '/exam/examitem',
  menu: {
    under: 'exam',
    after: 'usercode',
    label: label('考试项目', 'Papers'),
    icon: 'paper',
    roles: office,
    readers: ['unit_hr', 'reviewer1', 'reviewer2', 'finance', 'auditor', 'site'],
  },
  label: label('考试项目', 'Paper'),
  verbs,
  order: 'sort',
  fields: {
    examId,
    itemName: text(50, { label: label('科目名称', 'Paper'), required: true, search: 'like' }),
    itemCode: text(4, {
      label: label('科目代码', 'Code'),
      required: true,
      pattern: '^[A-Za-z0-9]{1,4}$',
      help: label('最多 4 个字母或数字', 'Letters and digits, at most 4'),
    }),
    itemType: dictInt('item_type', { label: label('类型', 'Type'), required: true, min: 1, max: 4, search: 'eq' }),
    startTime: instant({ label: label('开始时间', 'Begins'), required: true }),
    endTime: instant({ label: label('结束时间', 'Ends'), required: true, after: 'startTime', isEnd: true }),
    reportTime: instant({ label: label('最迟报到', 'Latest report'), list: false }),
    lateMinutes: int({ label: label('迟到分钟数', 'Minutes of grace'), min: 0, max: 120, default: 0, list: false }),
    fullScore: decimal({ label: label('满分', 'Full score'), default: '100', min: 1, max: 9_999.99, places: 2, fact: 'none' }),
    passScore: decimal({ label: label('合格线', 'Pass line'), list: false, min: 0, max: 9_999.99, places: 2, fact: 'none' }),
    weight: decimal({ label: label('权重(%)', 'Weight (%)'), default: '100', list: false, min: 0, max: 100, places: 2 }),
    feeFen: money({ label: label('费用', 'Fee'), default: 0 }),
    // Worked out of the posts for each answer: a post names its papers (`itemCodes`), in its form and in the workbook.
    typeCodes: json<readonly string[]>()({
      label: label('适用岗位', 'Posts'),
      form: false,
      help: label('在岗位的“考试科目”中设置', 'set at the posts, as their papers'),
    }),
    seatGroup: text(2, {
      label: label('同座组', 'Seat group'),
      list: false,
      help: label('同组科目同一座位', 'papers of one group share the seat'),
    }),
    rooms: json<readonly object[]>()({ label: label('考场', 'Rooms'), list: false }),
    rules: text(5_000, { label: label('科目规则', 'Rules'), list: false, widget: 'textarea' }),
    tools: text(200, { label: label('允许用具', 'Allowed tools'), list: false }),
    ticketState: int({
      label: label('准考证', 'Tickets'),
      form: false,
      required: true,
      words: wordsOf('ticketState'),
      storedAs: paperTicketWire,
    }),
    seedCommit: text(64, { label: label('抽签承诺', 'Draw commitment'), form: false, list: false }),
    seedReveal: text(64, { label: label('抽签种子', 'Draw seed'), form: false, list: false }),
    allotVersion: int({ label: label('编排版本', 'Allocation version'), form: false, list: false, required: true }),
    scoreState: int({
      fact: 'none',
      label: label('成绩', 'Scores'),
      form: false,
      required: true,
      words: stateField(paperScoreStates).words,
      storedAs: paperScoreWire,
    }),
    sort,
  },
})

type Minimum = { readonly min: string } | readonly string[]
type Major = { readonly code: string; readonly name: string; readonly level: string }

/** A post of an examination (domain 3.5). */
export const typeCode = defineResource({
  name: 'type-code',
  ownRules: true,
  basePath: '/blade-typeCode/typecode',
  permission: 'typecode',
  menuPath: '/exam/typeCode',
  label: label('岗位', 'Post'),
  verbs,
  order: 'sort',
  groups: [
    {
      key: 'post',
      label: label('岗位', 'Post'),
      fields: [...(['examId', 'unit', 'unitName', 'type', 'typeName', 'code', 'codeName', 'planNum'] as const), 'itemCodes', 'feeFen'],
    },
    {
      key: 'conditions',
      label: label('报考条件', 'Conditions'),
      fields: [
        ...(['bornFrom', 'bornTo', 'ageText', 'sex', 'educations', 'degrees', 'majorText', 'majors', 'fresh'] as const),
        ...(['political', 'hukou', 'cert', 'title', 'minWorkYears', 'otherText'] as const),
      ],
    },
    {
      key: 'more',
      label: label('其他', 'More'),
      fields: [
        ...(['competentDept', 'postLevel', 'curNum', 'usedSign', 'openRatio', 'maxSign', 'postState', 'phone'] as const),
        ...(['sort', 'remark', 'changeReason'] as const),
      ],
    },
  ],
  fields: {
    examId,
    unit: text(20, { label: label('招聘单位代码', 'Unit code'), required: true, search: 'eq' }),
    /** Follows from the code, where the list of units or of categories has it. */
    unitName: text(60, { label: label('招聘单位', 'Unit'), search: 'like' }),
    type: dict('post_type', { label: label('岗位类别', 'Category'), required: true, search: 'eq' }),
    typeName: text(40, { label: label('类别名称', 'Category name') }),
    code: text(20, {
      label: label('岗位代码', 'Post code'),
      required: true,
      search: 'like',
      pattern: '^\\S{1,20}$',
      help: label('不含空格，最多 20 个字', 'No spaces, at most 20 characters'),
    }),
    codeName: text(60, { label: label('岗位名称', 'Post'), required: true, search: 'like' }),
    competentDept: text(60, { label: label('主管部门', 'Supervising authority'), list: false }),
    postLevel: text(30, { label: label('岗位等级', 'Level'), list: false }),
    planNum: int({ label: label('招聘人数', 'Vacancies'), required: true, min: 1, max: 999 }),
    curNum: int({ label: label('核减后人数', 'Vacancies now'), form: false, required: true }),
    openRatio: int({
      label: label('开考比例', 'Opening ratio'),
      min: 0,
      max: 99,
      help: label('1:3 填 3；0 为不设；不填按考试的设置', '3 for 1:3; 0 for none; empty for that of the examination'),
    }),
    maxSign: int({
      label: label('报名上限', 'Most sign-ups'),
      min: 0,
      max: 999_999,
      default: 0,
      list: false,
      help: label('0 为不限', '0 for no limit'),
    }),
    usedSign: int({ label: label('已报人数', 'Sign-ups'), form: false, required: true }),
    postState: dictInt('post_state', { label: label('岗位状态', 'State'), min: 0, max: 4, default: 0, search: 'eq' }),
    bornFrom: date({ label: label('出生日期不早于', 'Born on or after') }),
    bornTo: date({ label: label('出生日期不晚于', 'Born on or before'), list: false }),
    ageText: text(60, { label: label('年龄说明', 'Age'), list: false }),
    sex: int({ label: label('性别要求', 'Sex'), min: 0, max: 2, default: 0, list: false, words: wordsOf('sex'), fact: 'none' }),
    educations: json<Minimum>()({ label: label('学历要求', 'Education'), list: false, keysOf: 'education' }),
    degrees: json<Minimum>()({ label: label('学位要求', 'Degree'), list: false, keysOf: 'degree' }),
    majorText: text(500, {
      label: label('专业要求', 'Majors as published'),
      list: false,
      widget: 'textarea',
      help: label('如 本科：临床医学、麻醉学；研究生：内科学', 'As in 本科：临床医学、麻醉学；研究生：内科学'),
    }),
    majors: json<readonly Major[]>()({
      label: label('专业代码', 'Majors by code'),
      list: false,
      help: label(
        '专业目录代码，多个用分号分隔；不填则按“专业要求”中的名称核对',
        'Codes of the catalogue, divided by semicolons; without any the names above are compared',
      ),
    }),
    fresh: int({ label: label('应届要求', 'Fresh graduates'), min: 0, max: 2, default: 0, list: false, words: wordsOf('fresh') }),
    political: json<readonly string[]>()({ label: label('政治面貌要求', 'Political status'), list: false, keysOf: 'political' }),
    hukou: json<{ readonly text: string; readonly prefixes: readonly string[] }>()({
      label: label('户籍要求', 'Household registration'),
      list: false,
      help: label(
        '6 位行政区划代码（多个用分号）由系统核对，其他文字由人工审核',
        'Region codes of six digits, divided by semicolons, are compared by program; other texts by a person',
      ),
    }),
    cert: json<readonly string[]>()({ label: label('执业资格要求', 'Qualification'), list: false, keysOf: 'cert' }),
    title: json<{ readonly min: string }>()({ label: label('职称要求', 'Title'), list: false, keysOf: 'title' }),
    minWorkYears: int({ label: label('最低工作年限', 'Least years of work'), min: 0, max: 50, list: false }),
    otherText: text(500, { label: label('其他条件', 'Other conditions'), list: false, widget: 'textarea' }),
    itemCodes: json<readonly string[]>()({ label: label('考试科目', 'Papers'), list: false }),
    feeFen: money({ label: label('报名费', 'Fee'), default: 0 }),
    phone: text(60, { label: label('咨询电话', 'Enquiries'), mask: 'phone', fact: 'none' }),
    sort,
    remark: text(500, { label: label('备注', 'Remark'), list: false }),
    changeReason: text(200, {
      label: label('修改原因', 'Reason of the change'),
      list: false,
      help: label('报名开始后修改条件时必填', 'needed once sign-up has begun'),
    }),
  },
})
