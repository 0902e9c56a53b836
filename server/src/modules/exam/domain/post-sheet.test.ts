import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseCsv, parseCsvRecords } from '#kernel/csv.ts'
import { columnLetter } from '#modules/transfer/domain/sheet.ts'
import { majorNames, parseHukou, parseMinimum, parsePolitical } from './post-conditions.ts'
import { type PostSheetContext, postColumns, readPostSheet } from './post-sheet.ts'

const seed = (name: string) => readFileSync(new URL(`../../../../seed/data/${name}.csv`, import.meta.url), 'utf8')
const records = (name: string) => parseCsvRecords(seed(name))

const majors = new Map<string, { code: string; name: string; level: string }[]>()
for (const { code = '', name = '', level = '' } of records('majors')) {
  if (code !== '') majors.set(code, [...(majors.get(code) ?? []), { code, name, level }])
}
const context: PostSheetContext = {
  units: new Map(records('units').map(row => [row.单位代码 ?? '', row.单位名称 ?? ''])),
  types: new Map([
    ['A', '医疗'],
    ['B', '护理'],
    ['C', '医技'],
    ['D', '药学'],
    ['E', '公卫'],
    ['F', '管理'],
    ['G', '工勤'],
  ]),
  posts: new Set(['0101']),
  itemCodes: new Set(records('exam-items').map(row => row.科目代码 ?? '')),
  majors,
  political: new Map(records('political').map(row => [row.name ?? '', row.code ?? ''])),
  certs: new Set(['执业医师', '执业助理医师', '护士', '药师', '执业药师', '技师', '全科转岗', '规培合格']),
  chargesByPost: false,
}
const [header = [], ...rows] = parseCsv(seed('posts'))
const first = rows[0] ?? []
/** The first row of the table with some cells changed by header. */
const changed = (cells: Record<string, string>) => header.map((name, i) => cells[name] ?? first[i] ?? '')
const problems = (cells: Record<string, string>) =>
  readPostSheet(header, [changed(cells)], context).errors.map(error => `${error.column}${error.row} ${error.reason.zh}`)

describe('post table (T1)', () => {
  it('has 31 columns, A to AE', () => {
    expect(Object.keys(postColumns)).toHaveLength(31)
    expect(columnLetter(30)).toBe('AE')
    expect(header).toEqual(Object.values(postColumns).map(column => column.header))
  })

  it('reads all 144 posts of the district without an error', () => {
    const result = readPostSheet(header, rows, context)
    expect([result.errors, result.warnings, result.fileErrors, result.fileWarnings]).toEqual([[], [], [], []])
    expect(result.rows).toHaveLength(144)
    expect(result.rows.reduce((sum, { value }) => sum + value.planNum, 0)).toBe(234)
    expect(new Set(result.rows.map(({ value }) => value.unit)).size).toBe(21)
  })

  it('turns a row into a post with structured conditions', () => {
    expect(readPostSheet(header, rows, context).rows[0]).toEqual({
      row: 2,
      value: {
        sort: 1,
        competentDept: '某区卫生健康局',
        unit: 'H01',
        unitName: '某区人民医院',
        type: 'A',
        typeName: '医疗',
        code: 'A001',
        codeName: '内科医师',
        postLevel: '专业技术十二级',
        planNum: 2,
        openRatio: 3,
        maxSign: 0,
        itemCodes: ['01', '11'],
        bornFrom: '1990-03-16',
        bornTo: '2008-03-16',
        ageText: '35周岁以下(1990年3月16日以后出生)',
        sex: 0,
        educations: { min: '20' },
        degrees: { min: '3' },
        majorText: '本科：临床医学；研究生：内科学、老年医学、神经病学',
        majors: ['100201K', '100201', '105101', '100203', '105103', '100204', '105104'].flatMap(code => majors.get(code) ?? []),
        fresh: 0,
        political: [],
        hukou: null,
        cert: ['执业医师'],
        title: null,
        minWorkYears: null,
        otherText: '取得执业医师资格证书和住院医师规范化培训合格证书;2026年应届规培结业人员须在2026年12月31日前取得',
        feeFen: 10000,
        phone: '0000-88010037',
        remark: '验收数据 A001',
      },
    })
  })

  it('gives exactly the named error of each row of posts-bad.csv', () => {
    const [badHeader = [], ...badRows] = parseCsv(seed('posts-bad'))
    const at = badHeader.indexOf('预期错误')
    const expected = badRows.map((cells, i) => {
      const text = cells[at] ?? ''
      return { row: i + 2, reason: text.replace('与下一行', `与第 ${i + 3} 行`).replace('与上一行', `与第 ${i + 1} 行`) }
    })
    const result = readPostSheet(
      badHeader.slice(0, at),
      badRows.map(cells => cells.slice(0, at)),
      context,
    )
    expect(result.errors.map(({ row, reason }) => ({ row, reason: reason.zh }))).toEqual(expected)
    expect(result.errors.map(({ column, header: name }) => `${column} ${name}`)).toEqual([
      'J 招聘人数',
      'J 招聘人数',
      'J 招聘人数',
      'K 开考比例',
      'N 出生日期不早于',
      'N 出生日期不早于',
      'N 出生日期不早于',
      'G 岗位代码',
      'G 岗位代码',
      'C 招聘单位代码',
      'E 岗位类别代码',
      'R 学历要求',
      'Q 性别要求',
      'U 专业代码',
      'M 考试科目代码',
      'AC 报名费',
      'H 岗位名称',
      'AA 最低工作年限',
      'G 岗位代码',
      'D 招聘单位',
    ])
    expect(result.rows).toEqual([])
  })

  it('reports all errors of one row', () => {
    expect(problems({ 招聘人数: '0', 性别要求: '男女', '报名费(元)': '-1', '考试科目代码(逗号)': '01，88、99' })).toEqual([
      'J2 招聘人数不在 1–999',
      'M2 科目代码在本考试不存在: 88',
      'M2 科目代码在本考试不存在: 99',
      'Q2 性别要求不在字典',
      'AC2 金额不能为负数',
    ])
  })

  it('[19.15] wants a fee in every row where posts are charged for, 0 included, and never takes a formula for none', () => {
    const read = (cells: Record<string, string>, chargesByPost: boolean) => {
      const { errors, rows } = readPostSheet(header, [changed(cells)], { ...context, chargesByPost })
      return [
        errors.map(error => `${error.column}${error.row} ${error.code} ${error.value} ${error.reason.zh}`),
        rows.map(({ value }) => value.feeFen),
      ]
    }
    expect(read({ '报名费(元)': '' }, true)).toEqual([['AC2 fee-empty  本考试按岗位收费，请填写报名费，免费岗位填 0'], []])
    expect(read({ '报名费(元)': '　 ' }, true)[1]).toEqual([])
    expect(read({ '报名费(元)': '0' }, true)).toEqual([[], [0]])
    expect(read({ '报名费(元)': '' }, false)).toEqual([[], [null]])
    const formula = 'AC2 formula #FORMULA! 报名费是公式且文件中没有计算结果，请填写数值，或用表格软件打开并保存后再导入'
    for (const charges of [true, false]) expect(read({ '报名费(元)': '#FORMULA!' }, charges)).toEqual([[formula], []])
    // The kind: any other cell too, required or not, number, code or text.
    for (const name of ['招聘人数', '岗位代码', '备注', '性别要求', '报名上限', '出生日期不早于'])
      expect(readPostSheet(header, [changed({ [name]: '#FORMULA!' })], context).errors.map(error => [error.header, error.code])).toEqual([
        [name, 'formula'],
      ])
  })

  it('mends full width and outer spaces with a warning, and takes 0 as no fee', () => {
    const result = readPostSheet(header, [changed({ 招聘人数: '１２ ', '报名费(元)': '0' })], context)
    expect(result.rows[0]?.value).toMatchObject({ planNum: 12, feeFen: 0 })
    expect(result.warnings).toEqual([
      { row: 2, reason: { zh: '招聘人数: 已去除首尾空格并转为半角', en: '招聘人数: outer spaces removed, made half-width' } },
    ])
  })

  it('creates unknown units with one warning and compares names inside the file', () => {
    const unit = { 招聘单位代码: 'H99', 招聘单位: '某区新医院' }
    const result = readPostSheet(
      header,
      [changed(unit), changed({ ...unit, 岗位代码: 'X2' }), changed({ ...unit, 岗位代码: 'X3', 招聘单位: '别名' })],
      context,
    )
    expect(result.warnings.map(warning => warning.reason.zh)).toEqual(['单位代码 H99 不存在，将新建'])
    expect(result.errors.map(error => [error.row, error.reason.zh])).toEqual([[4, '单位代码与单位名称不一致: H99 已是 某区新医院']])
  })

  it('finds columns in any order, passes over empty rows, and refuses a file without a required column', () => {
    const back = [...header].reverse().map(name => `${name}*`)
    const result = readPostSheet(back, [header.map(() => ' '), [...first].reverse()], context)
    expect([result.rows.map(({ row, value }) => [row, value.code]), result.errors]).toEqual([[[3, 'A001']], []])
    const refused = readPostSheet(
      header.filter(name => name !== '岗位代码'),
      rows,
      context,
    )
    expect([refused.rows, refused.fileErrors.map(error => error.reason.zh)]).toEqual([[], ['缺少列: 岗位代码']])
  })

  it('names three rows of one code', () => {
    const result = readPostSheet(header, [first, first, first], context)
    expect(result.errors.map(error => [error.row, error.reason.en])).toEqual([
      [2, 'The post code stands in row 3 too'],
      [3, 'The post code stands in row 2 too'],
      [4, 'The post code stands in row 2 too'],
    ])
  })
})

describe('condition cells', () => {
  it.each([
    ['不限', null],
    ['', null],
    ['大专及以上', { min: '30' }],
    ['硕士研究生及以上', { min: '10' }],
    ['博士研究生', { min: '11' }],
    ['高中(中专)及以上', { min: '60' }],
    ['本科以上学历', { min: '20' }],
    ['20', { min: '20' }],
    ['大本', undefined],
    ['constructor', undefined],
  ])('education %j → %j', (text, expected) => expect(parseMinimum(text, 'education')).toEqual(expected))

  it('political status, with and without probationary members', () => {
    const parse = (text: string) => parsePolitical(text, context.political)
    expect(['中共党员(含预备党员)', '中共党员（不含预备党员）', '中共党员、共青团员', '13', '不限', '党员'].map(parse)).toEqual([
      ['01', '02'],
      ['01'],
      ['01', '03'],
      ['13'],
      [],
      undefined,
    ])
  })

  it('household: codes are for the program, words for a person', () => {
    expect(['330100；330206', '330000', '本市户籍', '不限'].map(parseHukou)).toEqual([
      { text: '330100；330206', prefixes: ['3301', '330206'] },
      { text: '330000', prefixes: ['33'] },
      { text: '本市户籍', prefixes: [] },
      null,
    ])
  })

  it('majors by name', () => {
    expect(majorNames('本科：临床医学、麻醉学；研究生：内科学(心血管病)')).toEqual(['临床医学', '麻醉学', '内科学(心血管病)'])
    expect(majorNames('专业不限')).toEqual([])
  })

  it('refuses numbers where a code or a phone has lost the zeros before it, and says which code was meant', () => {
    const number = (text: string) => ({ shown: text, digits: text })
    const withNumbers = (cells: Record<string, string>) =>
      header.map((name, i) => (cells[name] === undefined ? (first[i] ?? '') : number(cells[name])))
    const units = new Map([...context.units, ['001', '区妇幼保健院']])
    const read = readPostSheet(
      header,
      [
        withNumbers({ 招聘单位代码: '1' }),
        withNumbers({ 招聘单位代码: '7' }),
        withNumbers({ 岗位代码: '101' }),
        withNumbers({ 岗位代码: '205' }),
        withNumbers({ 咨询电话: '57988010037' }),
        withNumbers({ 咨询电话: '13800000000' }),
      ],
      { ...context, units },
    )
    const said = read.errors.filter(error => error.code === 'number-code').map(error => `${error.column}${error.row} ${error.reason.zh}`)
    expect(said).toEqual([
      'C2 招聘单位代码 1 是数值，可能应为 001，请设为文本格式后重新填写',
      'C3 招聘单位代码 7 是数值，开头的 0 可能已丢失，请设为文本格式后重新填写',
      'G4 岗位代码 101 是数值，可能应为 0101，请设为文本格式后重新填写',
      'AD6 咨询电话 57988010037 是数值，开头的 0 可能已丢失，请设为文本格式后重新填写',
    ])
    // Each number is told of, also where nothing else is wrong with it.
    expect(read.warnings.filter(({ reason }) => reason.zh.includes('的单元格是数值')).map(({ row }) => row)).toEqual([2, 3, 4, 5, 6, 7])
  })
})
