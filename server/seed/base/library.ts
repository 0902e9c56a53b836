import type { Label } from '#contract/kernel/label.ts'
import type { FieldType, TableColumn, VisibleWhen } from '#contract/signup/content.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A built-in field of the sign-up form library (domain 3.3). */
export interface ItemSeed {
  readonly key: string
  readonly zh: string
  readonly en: string
  readonly type: FieldType
  readonly dict?: string
  readonly maxLen?: number
  readonly pattern?: string
  readonly columns?: readonly TableColumn[]
  readonly help?: Label
  /** 0 normal, 1 personal, 2 sensitive (sealed inside the answers). */
  readonly sensitive?: 0 | 1 | 2
}

const column = (
  key: string,
  label: string,
  labelEn: string,
  fieldType: TableColumn['fieldType'],
  more: { required?: boolean; maxLen?: number } = {},
): TableColumn => ({
  ...{ key, label, labelEn, fieldType },
  required: more.required ?? false,
  ...(more.maxLen ? { maxLen: more.maxLen } : {}),
})

/** What form builders start from, in the order of a paper form. */
const itemSeeds: readonly ItemSeed[] = [
  {
    key: 'name',
    zh: '姓名',
    en: 'Name',
    type: 'text',
    maxLen: 50,
    sensitive: 1,
    help: { zh: '与身份证一致，少数民族姓名间隔号用“·”', en: 'As on the identity card, with “·” between the parts of a minority name' },
  },
  { key: 'idCardType', zh: '证件类型', en: 'Type of identity document', type: 'select', dict: 'id_card_type' },
  { key: 'idCard', zh: '证件号码', en: 'Id card number', type: 'idcard', sensitive: 2 },
  { key: 'sex', zh: '性别', en: 'Sex', type: 'radio', dict: 'sex', help: { zh: '由证件号码得出', en: 'Taken from the id card number' } },
  {
    key: 'birthday',
    zh: '出生日期',
    en: 'Birth date',
    type: 'date',
    sensitive: 1,
    help: { zh: '由证件号码得出', en: 'Taken from the id card number' },
  },
  { key: 'nation', zh: '民族', en: 'Ethnic group', type: 'select', dict: 'nation', sensitive: 1 },
  { key: 'political', zh: '政治面貌', en: 'Political status', type: 'select', dict: 'political' },
  { key: 'marriage', zh: '婚姻状况', en: 'Marital status', type: 'select', dict: 'marriage', sensitive: 1 },
  { key: 'phone', zh: '手机号', en: 'Mobile phone', type: 'phone', sensitive: 2 },
  { key: 'email', zh: '电子邮箱', en: 'E-mail', type: 'text', maxLen: 100, pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', sensitive: 1 },
  { key: 'emergencyContact', zh: '紧急联系人', en: 'Emergency contact', type: 'text', maxLen: 50, sensitive: 1 },
  { key: 'emergencyPhone', zh: '紧急联系电话', en: 'Emergency phone', type: 'phone', sensitive: 2 },
  { key: 'hukouAddress', zh: '户籍所在地', en: 'Household registration', type: 'region', sensitive: 1 },
  { key: 'address', zh: '通讯地址', en: 'Postal address', type: 'text', maxLen: 200, sensitive: 2 },
  { key: 'height', zh: '身高(厘米)', en: 'Height (cm)', type: 'number', sensitive: 1 },
  { key: 'education', zh: '学历', en: 'Education', type: 'select', dict: 'education' },
  { key: 'degree', zh: '学位', en: 'Degree', type: 'select', dict: 'degree' },
  { key: 'educationType', zh: '学习形式', en: 'Mode of study', type: 'radio', dict: 'education_type' },
  { key: 'school', zh: '毕业院校', en: 'School', type: 'school', maxLen: 60 },
  { key: 'schoolCode', zh: '院校代码', en: 'School code', type: 'text', maxLen: 10 },
  { key: 'major', zh: '所学专业', en: 'Major', type: 'major', maxLen: 60, help: { zh: '按毕业证书填写', en: 'As on your diploma' } },
  { key: 'majorCode', zh: '专业代码', en: 'Major code', type: 'text', maxLen: 10 },
  { key: 'majorCategory', zh: '专业类别', en: 'Category of the major', type: 'text', maxLen: 60 },
  { key: 'graduateDate', zh: '毕业时间', en: 'Graduation date', type: 'date' },
  { key: 'diplomaNo', zh: '毕业证书编号', en: 'Diploma number', type: 'text', maxLen: 40, sensitive: 1 },
  { key: 'degreeNo', zh: '学位证书编号', en: 'Degree certificate number', type: 'text', maxLen: 40, sensitive: 1 },
  { key: 'fresh', zh: '应届情况', en: 'Fresh graduate', type: 'select', dict: 'fresh' },
  { key: 'residency', zh: '规培结业', en: 'Residency training completed', type: 'radio', dict: 'yes_no' },
  { key: 'certName', zh: '执业资格', en: 'Professional qualification', type: 'checkbox', dict: 'cert' },
  { key: 'certNo', zh: '执业证书编号', en: 'Licence number', type: 'text', maxLen: 60, sensitive: 1 },
  { key: 'practiceScope', zh: '执业范围', en: 'Scope of practice', type: 'text', maxLen: 60 },
  { key: 'title', zh: '职称', en: 'Professional title', type: 'select', dict: 'title' },
  { key: 'titleDate', zh: '职称取得时间', en: 'Title obtained on', type: 'date' },
  { key: 'workUnit', zh: '现工作单位', en: 'Present employer', type: 'text', maxLen: 60 },
  { key: 'insured', zh: '毕业后缴纳过社会保险', en: 'Social insurance paid since graduating', type: 'radio', dict: 'yes_no' },
  { key: 'workYears', zh: '工作年限', en: 'Years of work', type: 'number' },
  { key: 'firstWorkDate', zh: '参加工作时间', en: 'First day of work', type: 'date' },
  { key: 'serviceProject', zh: '基层服务项目', en: 'Grass-roots service project', type: 'select', dict: 'service_project' },
  { key: 'veteran', zh: '退役军人', en: 'Veteran', type: 'radio', dict: 'yes_no' },
  {
    key: 'resume',
    zh: '个人简历',
    en: 'Curriculum vitae',
    type: 'table',
    columns: [
      column('begin', '起始年月', 'From (month)', 'month', { required: true }),
      column('end', '结束年月', 'To (month)', 'month'),
      column('unit', '单位(学校)', 'Employer or school', 'text', { required: true, maxLen: 60 }),
      column('post', '职务(专业)', 'Position or major', 'text', { maxLen: 60 }),
    ],
  },
  {
    key: 'educationHistory',
    zh: '教育经历',
    en: 'Education history',
    type: 'table',
    columns: [
      column('begin', '入学年月', 'Entered (month)', 'month', { required: true }),
      column('end', '毕业年月', 'Graduated (month)', 'month', { required: true }),
      column('school', '院校', 'School', 'text', { required: true, maxLen: 60 }),
      column('major', '专业', 'Major', 'text', { maxLen: 60 }),
    ],
  },
  {
    key: 'workHistory',
    zh: '工作经历',
    en: 'Work history',
    type: 'table',
    columns: [
      column('begin', '起始年月', 'From (month)', 'month', { required: true }),
      column('end', '结束年月', 'To (month)', 'month'),
      column('unit', '单位', 'Employer', 'text', { required: true, maxLen: 60 }),
      column('post', '岗位', 'Position', 'text', { maxLen: 60 }),
    ],
  },
  {
    key: 'family',
    zh: '家庭成员',
    en: 'Family',
    type: 'table',
    sensitive: 2,
    columns: [
      column('relation', '关系', 'Relation', 'text', { required: true, maxLen: 20 }),
      column('name', '姓名', 'Name', 'text', { required: true, maxLen: 50 }),
      column('unit', '工作单位及职务', 'Employer and position', 'text', { maxLen: 60 }),
    ],
  },
  { key: 'awards', zh: '奖惩情况', en: 'Awards and penalties', type: 'textarea', maxLen: 500 },
  { key: 'foreignLanguage', zh: '外语水平', en: 'Foreign language', type: 'text', maxLen: 60 },
  { key: 'computer', zh: '计算机水平', en: 'Computer skills', type: 'text', maxLen: 60 },
  { key: 'disability', zh: '残疾情况', en: 'Disability', type: 'radio', dict: 'disability', sensitive: 2 },
  { key: 'adjust', zh: '是否服从调剂', en: 'Accepts adjustment to another post', type: 'radio', dict: 'yes_no' },
  { key: 'hasRelative', zh: '是否有需回避的亲属关系', en: 'Relatives at the hiring unit', type: 'radio', dict: 'yes_no' },
  {
    key: 'relativeInfo',
    zh: '亲属情况',
    en: 'Relatives',
    type: 'table',
    sensitive: 1,
    columns: [
      column('name', '姓名', 'Name', 'text', { required: true, maxLen: 50 }),
      column('unit', '所在单位', 'Employer', 'text', { required: true, maxLen: 60 }),
      column('relation', '关系', 'Relation', 'text', { required: true, maxLen: 20 }),
    ],
  },
  { key: 'remark', zh: '备注', en: 'Remark', type: 'textarea', maxLen: 200 },
]

/** One of the 14 kinds of required files (domain 3.4). */
export interface FileSeed {
  readonly key: string
  readonly zh: string
  readonly en: string
  readonly kind: number
  readonly accept: string
  readonly maxKb: number
  readonly minKb?: number
  readonly maxCount?: number
  readonly pixel?: { minW: number; minH: number; maxW: number; maxH: number; ratio: readonly [number, number] }
  readonly help?: Label
}

const image = 'jpg,jpeg,png'
const imageOrPdf = 'jpg,jpeg,png,pdf'

const fileSeeds: readonly FileSeed[] = [
  {
    key: 'photo',
    zh: '证件照',
    en: 'Portrait photo',
    kind: 1,
    accept: image,
    maxKb: 500,
    minKb: 5,
    pixel: { minW: 295, minH: 413, maxW: 4000, maxH: 6000, ratio: [0.7, 0.76] },
    help: {
      zh: '近期免冠正面照，白色或蓝色背景，头部约占三分之二',
      en: 'A recent front view without a hat, on white or blue, the head filling about two thirds',
    },
  },
  { key: 'idFront', zh: '身份证人像面', en: 'Id card, portrait side', kind: 2, accept: image, maxKb: 2048 },
  { key: 'idBack', zh: '身份证国徽面', en: 'Id card, emblem side', kind: 3, accept: image, maxKb: 2048 },
  { key: 'diploma', zh: '学历证书', en: 'Diploma', kind: 4, accept: imageOrPdf, maxKb: 2048, maxCount: 3 },
  { key: 'degreeCert', zh: '学位证书', en: 'Degree certificate', kind: 5, accept: imageOrPdf, maxKb: 2048, maxCount: 3 },
  { key: 'chsi', zh: '学信网备案表', en: 'CHSI registration form', kind: 6, accept: imageOrPdf, maxKb: 5120 },
  { key: 'licence', zh: '执业(资格)证', en: 'Professional licence', kind: 7, accept: imageOrPdf, maxKb: 2048, maxCount: 3 },
  { key: 'titleCert', zh: '职称证', en: 'Certificate of title', kind: 8, accept: imageOrPdf, maxKb: 2048, maxCount: 2 },
  { key: 'residencyCert', zh: '规培合格证', en: 'Residency certificate', kind: 9, accept: imageOrPdf, maxKb: 2048 },
  { key: 'hukouBook', zh: '户口簿', en: 'Household register', kind: 10, accept: imageOrPdf, maxKb: 2048, maxCount: 3 },
  { key: 'freshProof', zh: '应届证明(就业推荐表)', en: 'Proof of fresh graduation', kind: 11, accept: imageOrPdf, maxKb: 2048 },
  { key: 'agreeLetter', zh: '单位同意报考证明', en: 'Employer’s consent', kind: 12, accept: imageOrPdf, maxKb: 2048 },
  { key: 'promiseScan', zh: '诚信承诺书', en: 'Integrity undertaking', kind: 13, accept: imageOrPdf, maxKb: 2048 },
  { key: 'other', zh: '其他材料', en: 'Other files', kind: 14, accept: imageOrPdf, maxKb: 5120, maxCount: 10 },
]

/** `relativeInfo` is asked for only from people who declare a relative. */
export const relativeInfoWhen: VisibleWhen = { key: 'hasRelative', op: 'eq', value: '1' }

/** The built-in form fields and file kinds of a tenant. Safe to run again: what is there stays as it is. */
export const seedLibrary = async (db: TenantDb): Promise<void> => {
  const items = itemSeeds.map((seed, index) => ({
    item_key: seed.key,
    item_label: seed.zh,
    item_label_en: seed.en,
    field_type: seed.type,
    dict_code: seed.dict ?? null,
    columns: seed.columns ?? null,
    max_rows: seed.columns ? 10 : null,
    max_len: seed.maxLen ?? null,
    pattern: seed.pattern ?? null,
    help: seed.help?.zh ?? null,
    help_en: seed.help?.en ?? null,
    sensitive: seed.sensitive ?? 0,
    sort: index + 1,
  }))
  await db.run(sql`
    insert into item (tenant_id, item_key, item_label, item_label_en, field_type, dict_code, columns, max_rows, max_len, pattern, help, help_en, sensitive, built_in, sort)
    select ${db.actor.tenantId}, s.item_key, s.item_label, s.item_label_en, s.field_type, s.dict_code, s.columns, s.max_rows, s.max_len, s.pattern, s.help, s.help_en, s.sensitive, 1, s.sort
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as s(item_key text, item_label text, item_label_en text, field_type text, dict_code text, columns jsonb,
      max_rows int, max_len int, pattern text, help text, help_en text, sensitive int, sort int)
    where not exists (select 1 from item i where i.item_key = s.item_key and not i.is_deleted)`)
  const files = fileSeeds.map((seed, index) => ({
    file_key: seed.key,
    file_label: seed.zh,
    file_label_en: seed.en,
    kind: seed.kind,
    accept: seed.accept,
    max_kb: seed.maxKb,
    min_kb: seed.minKb ?? 0,
    max_count: seed.maxCount ?? 1,
    pixel: seed.pixel ?? null,
    help: seed.help?.zh ?? null,
    help_en: seed.help?.en ?? null,
    sort: index + 1,
  }))
  await db.run(sql`
    insert into file_kind (tenant_id, file_key, file_label, file_label_en, kind, accept, max_kb, min_kb, max_count, pixel, help, help_en, sort)
    select ${db.actor.tenantId}, s.file_key, s.file_label, s.file_label_en, s.kind, s.accept, s.max_kb, s.min_kb, s.max_count, s.pixel, s.help, s.help_en, s.sort
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as s(file_key text, file_label text, file_label_en text, kind int, accept text, max_kb int, min_kb int,
      max_count int, pixel jsonb, help text, help_en text, sort int)
    where not exists (select 1 from file_kind f where f.file_key = s.file_key and not f.is_deleted)`)
}
