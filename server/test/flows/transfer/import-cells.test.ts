import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { columnLetters } from '#kernel/sheet/cell.ts'
import { headerKey } from '#modules/transfer/index.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { type RawBook, type RawSheet, rawBook, rawCell, rawFormula, rawNumber, rawText } from '../../support/raw-book.ts'
import { sheetRows } from '../../support/sheet-text.ts'

/** A kind of import: how its workbook is sent, and what its columns are. */
interface Kind {
  readonly who: Person
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
  /** Columns whose texts may have several lines. */
  readonly lines: readonly string[]
  /** Columns of days and times. */
  readonly dates: readonly string[]
}
interface CellError {
  readonly row: number
  readonly column: string
  readonly header: string
  readonly code: string
  readonly reason: string
  readonly value: string
}

let t: TestApp
let tenant: TestTenant
let kinds: Readonly<Record<string, Kind>>
const headers = new Map<string, readonly string[]>()
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  const admin = await tenant.staff('admin')
  const operator = await t.platform().staff('administrator')
  const office = await tenant.staff('exam_admin')
  const finance = await tenant.staff('finance')
  const done = await buildExam(tenant, {
    papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' }],
  })
  const draft = await buildExam(tenant, { exam: { exam_name: '导入', exam_code: 'CELLS', exam_no: 77, state: 'draft' } })
  const next = await buildExam(tenant, {
    exam: { exam_name: '编排', exam_code: 'SEATS', exam_no: 78 },
    papers: [
      { itemCode: '01', itemName: '综合基础知识', startTime: '2026-05-16 09:00:00', endTime: '2026-05-16 10:30:00' },
      { itemCode: '02', itemName: '面试', itemType: 2, startTime: '2026-06-16 09:00:00', endTime: '2026-06-16 18:00:00' },
    ],
  })
  const exam = '/blade-exam/examination'
  const system = '/blade-system'
  kinds = {
    T0: { who: admin, path: `${system}/user/import-user`, lines: ['角色', '部门', '职务'], dates: ['出生日期'] },
    T0b: { who: admin, path: `${system}/dict-biz/import-dict`, lines: ['备注'], dates: [] },
    T0c: { who: admin, path: `${system}/param/import`, lines: ['参数键值', '备注'], dates: [] },
    T0d: { who: admin, path: `${system}/dept/import-dept`, lines: ['负责人账号', '备注'], dates: [] },
    T0p: { who: admin, path: `${system}/post/import`, lines: ['备注'], dates: [] },
    T0r: { who: operator, path: `${system}/region/import-region`, lines: ['备注'], dates: [] },
    T0s: { who: operator, path: `${system}/dict/import-dict`, lines: ['备注'], dates: [] },
    T1: {
      who: office,
      path: `${exam}/importTypeCode`,
      fields: { examId: draft.examId },
      lines: ['专业要求', '其他条件', '备注'],
      dates: ['出生日期不早于', '出生日期不晚于'],
    },
    T4: { who: office, path: `${exam}/importTicket`, fields: { examId: next.examId }, lines: ['备注'], dates: [] },
    T5: {
      who: office,
      path: `${exam}/importMsTicket`,
      fields: { examId: next.examId, itemId: next.papers['02'] ?? '' },
      lines: ['备注'],
      dates: [],
    },
    T6: {
      who: office,
      path: `${exam}/importResult`,
      fields: { examId: done.examId, itemId: done.papers['01'] ?? '' },
      lines: ['备注'],
      dates: [],
    },
    T8: { who: office, path: `${exam}/importSchool`, lines: ['曾用名', '备注'], dates: [] },
    T7a: { who: finance, path: `${exam}/importExamPay`, fields: { examId: done.examId }, lines: ['备注'], dates: ['缴费截止时间'] },
    T7c: { who: finance, path: `${exam}/importInvoice`, fields: { examId: done.examId }, lines: [], dates: [] },
    T7b: { who: finance, path: `${exam}/importPay`, fields: { examId: done.examId }, lines: ['备注'], dates: ['缴费时间'] },
  }
  for (const [kind, { who, fields }] of Object.entries(kinds)) {
    const template = await who.get(`${exam}/importTemplate`, { query: { kind, ...fields } })
    const [header = []] = await sheetRows(template.raw)
    headers.set(kind, header)
  }
})
afterAll(() => t.close())

const headerOf = (kind: string): readonly string[] => headers.get(kind) ?? []
/** A header as messages name it. */
const named = (header: string): string => header.replace(/\*$/, '').replace(/[(（][^()（）]*[)）]$/, '')
const send = async (
  kind: string,
  book: RawBook | Buffer,
  { language = 'zh' as 'zh' | 'en', mode = 'check', name = '表.xlsx' } = {},
): Promise<Answer> => {
  const { who, path, fields = {} } = kinds[kind] as Kind
  const bytes = Buffer.isBuffer(book) ? book : await rawBook(book)
  return who.post(path, { multipart: { fields: { mode, ...fields }, files: [{ part: 'file', name, bytes }] }, language })
}
const sheet = (kind: string, rows: RawSheet['rows'], more: Partial<RawSheet> = {}): RawSheet => ({
  name: '数据',
  ...more,
  rows: [headerOf(kind).map(text => rawText(text)), ...rows],
})
const errorsOf = (answer: Answer): readonly CellError[] => answer.body.data.errors
const every = () => Object.keys(kinds)
/** What is read of a cell does not depend on what it is for: one kind with days and texts of several lines, one with scores; all in `npm run test:long`. */
const each = () => every().filter(kind => process.env['KAOPU_LONG'] !== undefined || ['T1', 'T6'].includes(kind))

test('every kind of import of the product is tried', async () => {
  const all = new Set<string>()
  for (const first of '0123456789')
    for (const second of ['', ...'abcdefghijklmnopqrstuvwxyz']) {
      const answer = await Object.values(kinds)[0]?.who.get('/blade-exam/examination/importTemplate', {
        query: { kind: `T${first}${second}` },
      })
      if (answer?.status !== 404) all.add(`T${first}${second}`)
    }
  for (const kind of every()) all.delete(kind)
  expect([...all]).toEqual([])
})

/** Errors that an answer lists; the workbook of errors has them all. */
const listed = 200

describe('cells that hold no value are wrong in every column of every template', () => {
  const faults = [
    { of: rawFormula('1+1'), code: 'formula', zh: '是公式且文件中没有计算结果', en: 'is a formula without a stored result' },
    { of: rawFormula('1+1', '<v></v>'), code: 'formula', zh: '是公式且文件中没有计算结果', en: 'is a formula without a stored result' },
    { of: rawCell('t="e"', '<v>#N/A</v>'), code: 'error', zh: '是错误值 #N/A', en: 'holds the error #N/A' },
    { of: rawCell('t="e"', '<f>A99</f><v>#REF!</v>'), code: 'error', zh: '是错误值 #REF!', en: 'holds the error #REF!' },
    { of: rawText('#DIV/0!'), code: 'error', zh: '是错误值 #DIV/0!', en: 'holds the error #DIV/0!' },
    { of: rawCell('t="e" vm="1"', '<v>#VALUE!</v>'), code: 'rich', zh: '不是普通的文字或数值', en: 'is no plain text or number' },
    {
      of: rawCell('t="str"', '<f>_xlfn.DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v>'),
      code: 'rich',
      zh: '不是普通的文字或数值',
      en: 'is no plain text or number',
    },
    { of: rawCell('t="s"', '<v>9</v>'), code: 'rich', zh: '不是普通的文字或数值', en: 'is no plain text or number' },
    { of: rawText('一\n二'), code: 'line-break', zh: '中有换行，请改为一行', en: 'has a line break; write it in one line' },
  ] as const
  for (const language of ['zh', 'en'] as const)
    test(`row, column, reason and what to do, in ${language}`, async () => {
      for (const kind of each()) {
        const header = headerOf(kind)
        const { lines } = kinds[kind] as Kind
        const columnsOf = (fault: (typeof faults)[number]) =>
          header.flatMap((text, at) => (fault.code === 'line-break' && lines.includes(named(text)) ? [] : [at]))
        // A row of each fault, as many to a workbook as an answer lists: the program that reads workbooks is begun anew for each file.
        const perBook = Math.floor(listed / header.length)
        for (let first = 0; first < faults.length; first += perBook) {
          const some = faults.slice(first, first + perBook)
          const rows = some.map(fault => header.map((_, at) => (columnsOf(fault).includes(at) ? fault.of : undefined)))
          const answer = await send(kind, { sheets: [sheet(kind, [[], ...rows])] }, { language })
          for (const [n, fault] of some.entries()) {
            const row = n + 3
            // A cell with several lines may be wrong for what it says.
            const told = errorsOf(answer).filter(one => one.row === row && (fault.code !== 'line-break' || one.code === 'line-break'))
            const found = told.map(one => [one.row, one.column, one.header, one.code, one.reason.includes(fault[language])])
            const expected = columnsOf(fault).map(at => [row, columnLetters(at), named(header[at] ?? ''), fault.code, true])
            expect([kind, first + n, found.sort()]).toEqual([kind, first + n, expected.sort()])
            for (const { reason, header: of } of told) expect(reason.startsWith(of)).toBe(true)
          }
        }
      }
    })

  test('results of a file that asks to be worked out anew are none, and the words of errors stay wrong when mended to themselves', async () => {
    for (const kind of each()) {
      const row = headerOf(kind).map(() => rawFormula('1+1', '<v>0</v>'))
      const answer = await send(kind, { isStale: true, sheets: [sheet(kind, [row])] })
      expect([kind, errorsOf(answer).map(one => one.code)]).toEqual([kind, headerOf(kind).map(() => 'formula')])
    }
    const { who, path } = kinds['T0p'] as Kind
    const checked = (await send('T0p', { sheets: [sheet('T0p', [headerOf('T0p').map(() => rawCell('t="e"', '<v>#N/A</v>'))])] })).body.data
    const again = await who.post(path, {
      multipart: {
        fields: { mode: 'check', importId: checked.importId, fixes: JSON.stringify([{ row: 2, column: 'B', value: '#N/A' }]) },
        files: [],
      },
    })
    expect(errorsOf(again).map(one => `${one.column} ${one.code}`)).toContain('B error')
  })
})

describe('texts are what is shown, or are refused', () => {
  test('what no program shows for certain is refused in every column of every template', async () => {
    const formats = ['# ?/?', '0.00E+00', ';;;', '[>=1]0;0.0']
    const cases = [
      [rawNumber(7.5, 1), 'cell-format'],
      [rawNumber('330106199001011234'), 'scientific'],
      [rawNumber(7.5, 3), 'cell-format'],
      [rawNumber(7.5, 4), 'cell-format'],
    ] as const
    for (const kind of each()) {
      const header = headerOf(kind)
      const answer = await send(kind, {
        formats,
        sheets: [
          sheet(
            kind,
            cases.map(([of]) => header.map(() => of)),
          ),
        ],
      })
      for (const [n, [of, code]] of cases.entries()) {
        const expected = header.map((_, at) => `${columnLetters(at)} ${code}`)
        const told = errorsOf(answer).filter(one => one.row === n + 2)
        expect([kind, of, [...new Set(told.map(one => `${one.column} ${one.code}`))].sort()]).toEqual([kind, of, expected.sort()])
      }
    }
  })

  test('formats of numbers, reading aids and other ways of writing are stored as they are seen', async () => {
    const formats = ['0000', '"A"000', '00-00', '#,##0', 'yyyy"年"m"月"d"日"', '0%', '@', '"C"@']
    const phonetic = '<t>田中</t><rPh sb="0" eb="2"><t>タナカ</t></rPh><phoneticPr fontId="1"/>'
    const runs = '<r><rPr><b/></rPr><t>急</t></r><r><t xml:space="preserve">诊 科</t></r><rPh sb="0" eb="1"><t>キュウ</t></rPh>'
    const row = (code: string, name: string) => [rawText('1'), code, name, rawNumber(5), undefined]
    const book: RawBook = {
      formats,
      strings: [phonetic, runs],
      sheets: [
        sheet('T0p', [
          row(rawNumber(7, 1), rawCell('t="s"', '<v>0</v>')),
          row(rawNumber(7, 2), rawCell('t="s"', '<v>1</v>')),
          row(rawNumber(305, 3), rawCell('t="inlineStr"', `<is>${phonetic}</is>`)),
          row(rawNumber(12_345, 4), rawCell('t="inlineStr"', `<is>${runs}</is>`)),
          row(rawNumber(46_086, 5), rawText('\u200B护士\uFEFF')),
          row(rawNumber(0.5, 6), rawCell('t="b"', '<v>1</v>')),
          row(rawNumber(12, 7), rawCell('t="str"', '<f>"a"</f><v>甲_x005F_乙</v>')),
          row(rawText('001', 8), rawText('丙')),
        ]),
      ],
    }
    const answer = await send('T0p', book, { mode: 'commit' })
    expect([answer.body.data.errors, answer.body.data.inserted]).toEqual([[], 8])
    const stored = await tenant.rows(
      sql<{
        code: string
        name: string
      }>`select post_code as code, post_name as name from post where tenant_id = ${tenant.tenantId} and post_code = any(${['0007', 'A007', '03-05', '12,345', '2026年3月5日', '50%', '12', 'C001']}::text[])`,
    )
    expect(Object.fromEntries(stored.map(({ code, name }) => [code, name]))).toEqual({
      '0007': '田中',
      A007: '急诊 科',
      '03-05': '田中',
      '12,345': '急诊 科',
      '2026年3月5日': '护士',
      '50%': 'TRUE',
      '12': '甲_乙',
      C001: '丙',
    })
  })

  test('a number counts as it is stored where nothing else is shown; one shown otherwise is refused', async () => {
    const formats = ['0', '#,##0.00', '¥#,##0.00', '0%', '0;-0;;@', '0"万"']
    const at = headerOf('T6').findIndex(text => named(text) === '成绩')
    const row = (score: string) =>
      headerOf('T6').map((text, i) => (i === at ? score : named(text) === '考试状态' ? rawText('正常') : undefined))
    const scores = [
      rawNumber(78.6, 1),
      rawNumber(78.5, 2),
      rawNumber(78.5, 3),
      rawNumber(0.5, 4),
      rawNumber(0, 5),
      rawNumber(3, 6),
      rawNumber('78.599999999999994'),
    ]
    const answer = await send('T6', { formats, sheets: [sheet('T6', scores.map(row))] })
    const wrong = errorsOf(answer).filter(one => one.header === '成绩')
    expect(wrong.map(one => `${one.row} ${one.code} ${one.reason}`)).toEqual([
      '2 shown-differs 成绩的单元格显示 79，存的是 78.6，请设为常规格式后重新填写',
      '5 shown-differs 成绩的单元格显示 50%，存的是 0.5，请设为常规格式后重新填写',
      '6 cell-format 成绩的单元格存有 0，但按其格式不显示，请改为文本或常规格式后重新填写',
      '7 shown-differs 成绩的单元格显示 3万，存的是 3，请设为常规格式后重新填写',
    ])
  })
})

describe('dates', () => {
  const dateColumns = () => each().flatMap(kind => (kinds[kind] as Kind).dates.map(name => ({ kind, name })))
  const rowsOf = (kind: string, name: string, cells: readonly string[]) =>
    cells.map(one => headerOf(kind).map(text => (named(text) === name ? one : undefined)))
  const about = (answer: Answer, name: string) => errorsOf(answer).filter(one => one.header === name && one.code.startsWith('date'))

  test('typed in any usual way and stored by either system they are the same day in all templates', async () => {
    const typed = ['2026-3-5', '2026-03-05', '2026/03/05', '2026.3.5', '20260305', '2026年3月5日', '２０２６－０３－０５', ' 2026-03-05 ']
    for (const { kind, name } of dateColumns()) {
      const cells = [...typed.map(text => rawText(text)), rawNumber(46_086, 1), rawNumber(46_086, 2), rawNumber(20_260_305)]
      const answer = await send(kind, { formats: ['yyyy-mm-dd', 14], sheets: [sheet(kind, rowsOf(kind, name, cells))] })
      expect([kind, name, about(answer, name)]).toEqual([kind, name, []])
    }
    // By T0, which stores the day.
    const cells = (day: string) =>
      headerOf('T0').map(text => (({ 账号: rawText('x'), 姓名: rawText('王测'), 出生日期: day }) as Record<string, string>)[named(text)])
    const role = headerOf('T0').findIndex(text => named(text) === '角色')
    const rows = [rawText('1990年2月8日'), rawNumber(32_912 - 1_462, 1), rawCell('t="d" s="1"', '<v>1990-02-08T00:00:00</v>')].map(
      (day, i) =>
        cells(day).map((one, at) =>
          at === role ? rawText('初审员') : named(headerOf('T0')[at] ?? '') === '账号' ? rawText(`dated${i}`) : one,
        ),
    )
    const answer = await send(
      'T0',
      { is1904: true, isStrict: true, formats: ['yyyy-mm-dd'], sheets: [sheet('T0', rows)] },
      { mode: 'commit' },
    )
    expect([answer.body.data.errors, answer.body.data.inserted]).toEqual([[], 3])
    const days = await tenant.rows(sql<{ day: string }>`select birthday::text as day from account where account like 'dated%'`)
    expect(days.map(({ day }) => day)).toEqual(['1990-02-08', '1990-02-08', '1990-02-08'])
  })

  test('days that never were, parts of days and bare numbers are refused in all templates', async () => {
    const wrong = [
      [rawText('2026-02-30'), 'date'],
      [rawText('20260231'), 'date'],
      [rawText('2026年2月29日'), 'date'],
      [rawText('3月5日'), 'date-format'],
      [rawText('26-3-5'), 'date-format'],
      [rawNumber(46_086), 'date-format'],
      [rawNumber(46_086, 1), 'date-format'],
      [rawNumber(46_086, 2), 'date-format'],
      [rawNumber(0.5, 3), 'date-format'],
    ] as const
    for (const { kind, name } of dateColumns()) {
      const answer = await send(kind, {
        formats: ['m"月"d"日"', 'yyyy"年"m"月"', 'h:mm'],
        sheets: [
          sheet(
            kind,
            rowsOf(
              kind,
              name,
              wrong.map(([one]) => one),
            ),
          ),
        ],
      })
      expect([kind, name, about(answer, name).map(one => `${one.row} ${one.code}`)]).toEqual([
        kind,
        name,
        wrong.map(([, code], at) => `${at + 2} ${code}`),
      ])
    }
    const birth = headerOf('T0').map(text => (named(text) === '出生日期' ? rawNumber(60, 1) : undefined))
    expect(errorsOf(await send('T0', { formats: ['yyyy-mm-dd'], sheets: [sheet('T0', [birth])] })).map(one => one.code)).toContain(
      'cell-format',
    )
  })
})

describe('the sheet that is read and its header', () => {
  const reasons = (answer: Answer): readonly string[] =>
    answer.body.data.warnings.map((one: { row: number; reason: string }) => `${one.row} ${one.reason}`)
  const anyRow = (kind: string) => headerOf(kind).map(() => rawText('x'))

  test('a title, hidden sheets, columns and rows, filters and further sheets are said, in every template', async () => {
    for (const kind of each()) {
      const book: RawBook = {
        sheets: [
          { name: '旧表', state: 'hidden', rows: [[rawText('旧')]] },
          {
            name: '数据',
            rows: [[rawText('2026 年汇总表')], [], headerOf(kind).map(text => rawText(text)), anyRow(kind), anyRow(kind)],
            hiddenRows: [5],
            before: '<cols><col min="2" max="2" hidden="1"/></cols>',
            after: '<autoFilter ref="A3:C5"><filterColumn colId="0"><filters><filter val="x"/></filters></filterColumn></autoFilter>',
          },
          { name: '另一张', rows: [[rawText('1')]] },
          { name: '空的', rows: [] },
          { name: '填写说明', rows: [[rawText('列')]] },
        ],
      }
      const header = headerOf(kind)[1] ?? ''
      expect([kind, reasons(await send(kind, book)).slice(0, 5)]).toEqual([
        kind,
        [
          '0 排在前面的工作表“旧表”被隐藏或不是表格，读取的是第一个可见的工作表“数据”',
          '0 只读取第一个可见的工作表“数据”，其他工作表的内容没有导入：“另一张”',
          '3 表头在第 3 行，其上的内容没有导入: 2026 年汇总表',
          `3 有 1 列被隐藏，同样导入：B(${header})`,
          '5 有 1 行被筛选隐藏，同样导入：第 5 行',
        ],
      ])
      const english = reasons(await send(kind, book, { language: 'en' })).slice(0, 5)
      expect(english.join()).not.toMatch(/排在|读取|导入/)
    }
  })

  test('headers with what cannot be seen, marks of need, full width and cells merged over two rows are known in every template', async () => {
    const dress = [
      (text: string) => `\uFEFF${text}\u200B`,
      (text: string) => `\u00A0${text.slice(0, 1)}\n${text.slice(1)}\u00A0`,
      (text: string) => `*${text.replace(/\*$/, '')}`,
      (text: string) => `${text.replace(/\*$/, '')}（必填）`,
      (text: string) => `【必填】${text}＊`,
      (text: string) => text.replaceAll('(', '（').replaceAll(')', '）'),
      (text: string) => `${text}：`,
      (text: string) => `${text.slice(0, 1)}\u200D\u00AD\u{FE0F}${text.slice(1)}`,
    ]
    // Every header in every dress by the rule alone; a workbook of each kind shows that the rule is asked.
    for (const kind of each())
      for (const text of headerOf(kind))
        expect([kind, text, dress.filter(one => headerKey(one(text)) !== headerKey(text)).map(one => one(text))]).toEqual([kind, text, []])
    for (const [n, kind] of each().entries()) {
      const plain = headerOf(kind)
      const header = plain.map((text, at) => rawText((dress[(at + n) % dress.length] as (typeof dress)[0])(text)))
      const answer = await send(kind, { sheets: [{ name: '数据', rows: [header, anyRow(kind)] }] })
      expect([kind, n, answer.body.reason ?? '', answer.body.data.total, reasons(answer).filter(one => /未识别|表头/.test(one))]).toEqual([
        kind,
        n,
        '',
        1,
        [],
      ])
      const merges = plain.map((_, at) => `<mergeCell ref="${columnLetters(at)}1:${columnLetters(at)}2"/>`)
      const last = plain.length - 1
      const over = await send(kind, {
        sheets: [
          {
            name: '数据',
            rows: [
              plain.map((text, at) => (at === last ? rawText('其他') : rawText(text))),
              plain.map((text, at) => (at === last ? rawText(text) : undefined)),
              anyRow(kind),
            ],
            after: `<mergeCells>${merges.slice(0, -1).join('')}</mergeCells>`,
          },
        ],
      })
      const said = reasons(over).filter(one => /表头/.test(one))
      expect([kind, over.body.reason ?? '', over.body.data.total, said]).toEqual([
        kind,
        '',
        1,
        ['2 表头在第 2 行，其上的内容没有导入: 其他'],
      ])
    }
  })

  test('a cell that is merged with one above it is named with its range in every column of every template, far below the header too', async () => {
    for (const kind of each()) {
      const last = headerOf(kind).length - 1
      // The first column is not merged, so that the rows below hold something; the last one ends where a row has no cell any more.
      const columns = headerOf(kind).flatMap((_, at) => (at === 0 ? [] : [at]))
      const rows = [anyRow(kind), ...Array.from({ length: 68 }, () => []), anyRow(kind), [rawText('y')], [rawText('z')]]
      const book: RawBook = {
        sheets: [
          {
            name: '数据',
            rows: [[rawText('2026 年汇总表')], headerOf(kind).map(text => rawText(text)), ...rows],
            after: `<mergeCells><mergeCell ref="A1:${columnLetters(last)}1"/>${columns.map(at => `<mergeCell ref="${columnLetters(at)}72:${columnLetters(at)}74"/>`).join('')}</mergeCells>`,
          },
        ],
      }
      for (const [language, reason] of [
        ['zh', (range: string) => `在合并的单元格 ${range} 中，只有左上角一格有内容，请取消合并并逐行填写`],
        [
          'en',
          (range: string) => ` is in the merged cells ${range}, of which only the first holds something; undo the merge and fill every row`,
        ],
      ] as const) {
        const answer = await send(kind, book, { language })
        expect([kind, answer.body.data === null, answer.body.msg]).toEqual([kind, false, expect.any(String)])
        const found = errorsOf(answer).filter(one => one.row > 72 && one.column !== 'A')
        expect([kind, found]).toEqual([
          kind,
          [73, 74].flatMap(row =>
            columns.map(at => {
              const header = named(headerOf(kind)[at] ?? '')
              const range = `${columnLetters(at)}72:${columnLetters(at)}74`
              return { row, column: columnLetters(at), header, value: '', code: 'merged', reason: `${header}${reason(range)}` }
            }),
          ),
        ])
        const { errorFileUrl } = answer.body.data
        if (language !== 'zh') continue
        const marked = await sheetRows((await (kinds[kind] as Kind).who.get(errorFileUrl)).raw)
        expect([kind, marked.find(([first]) => first === 'y')?.at(-1)]).toEqual([
          kind,
          expect.stringContaining(`在合并的单元格 ${columnLetters(last)}72:${columnLetters(last)}74 中`),
        ])
      }
    }
  })

  test('a header merged over columns, one that is a formula, and a sheet without rows beside one that has some are named', async () => {
    for (const kind of each()) {
      const [first = ''] = headerOf(kind)
      const merged = await send(kind, {
        sheets: [sheet(kind, [anyRow(kind)], { after: '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>' })],
      })
      expect([kind, merged.body.reason, merged.body.msg]).toEqual([
        kind,
        'import/header',
        expect.stringContaining(`表头“${first}”是合并的单元格 A1:B1，请取消合并，每列写一个列名`),
      ])
      const formula = await send(kind, {
        sheets: [{ name: '数据', rows: [headerOf(kind).map((text, at) => (at === 1 ? rawFormula('A1') : rawText(text))), anyRow(kind)] }],
      })
      expect([kind, formula.body.msg]).toEqual([kind, expect.stringContaining('表头单元格 B1 是公式、错误值或图片，请直接填写列名')])
      const blank = await send(kind, { sheets: [{ name: '封面', rows: [] }, sheet(kind, [anyRow(kind)])] })
      expect([kind, blank.body.msg]).toEqual([
        kind,
        '文件无法读取：第一个可见的工作表“封面”没有数据行；另有工作表“数据”，请把要导入的工作表取消隐藏并移到最前',
      ])
    }
  })

  test('files of another kind under the name of a workbook are named as what they are', async () => {
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
    const files: readonly (readonly [Buffer, string])[] = [
      [Buffer.from('姓名,证件号码\n张三,1'), 'csv'],
      [Buffer.from('\uFEFF姓名\t证件号码\n张三\t1'), 'csv'],
      [Buffer.from('<html><body><table><tr><td>1</td></tr></table></body></html>'), '网页'],
      [Buffer.from('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'), 'XML 表格'],
      [ole, 'xls'],
      [
        await rawBook({
          contentType: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
          sheets: [{ name: 'A', rows: [[rawText('1')]] }],
        }),
        'xlsm',
      ],
    ]
    // What a file is does not depend on what it is for: all at one import, one at each of the others.
    const tried = each().flatMap((kind, n) =>
      (kind === 'T0p' ? files : [files[n % files.length] as (typeof files)[0]]).map(file => [kind, ...file] as const),
    )
    for (const [kind, bytes, word] of tried) {
      const { body } = await send(kind, bytes)
      expect([kind, word, body.reason, body.msg.includes(word)]).toEqual([kind, word, 'import/unreadable', true])
    }
    const good = await rawBook({ sheets: [sheet('T0p', [anyRow('T0p')])] })
    expect((await send('T0p', good, { name: '表.xlsm' })).body.msg).toBe('文件无法读取：文件名须以 .xlsx 结尾')
  })
})
