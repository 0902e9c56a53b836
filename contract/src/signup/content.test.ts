import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldTypes, normalizeContent, type SignItem, validateContent, visibleKeys, withDerived } from './content.ts'
import { checkFiles } from './required-files.ts'
import { isSafePattern, matchesPattern } from './safe-pattern.ts'

const dictionaries: Record<string, ReadonlySet<string>> = {
  education: new Set(['10', '20', '30']),
  cert: new Set(['执业医师', '护士']),
}
const context = { today: '2026-03-16', dictionary: (code: string) => dictionaries[code], isRegion: (code: string) => code.startsWith('33') }
const item = (itemKey: string, fieldType: SignItem['fieldType'], more: Partial<SignItem> = {}): SignItem => ({
  itemKey,
  itemLabel: more.itemLabel ?? itemKey,
  fieldType,
  ...more,
})
const reasons = (items: SignItem[], content: Record<string, unknown>) =>
  validateContent(items, content, context).map(problem => `${problem.path}: ${problem.reason}`)

describe('content of a sign-up', () => {
  it('names fields that are missing, in both languages', () => {
    expect(validateContent([item('major', 'major', { itemLabel: '所学专业', required: true })], { major: '  ' }, context)).toEqual([
      { key: 'major', path: 'major', reason: 'required', message: { zh: '请填写所学专业', en: 'Please fill in 所学专业' } },
    ])
  })

  it('[S1.07] calls fields and columns in English as the form does', () => {
    const items = [
      item('major', 'major', { itemLabel: '所学专业', itemLabelEn: 'Major', required: true }),
      item('work', 'table', {
        itemLabel: '工作经历',
        itemLabelEn: 'Work history',
        columns: [
          { key: 'unit', label: '单位', labelEn: 'Employer', fieldType: 'text', required: true },
          { key: 'post', label: '岗位', fieldType: 'text', maxLen: 2 },
        ],
      }),
    ]
    expect(validateContent(items, { work: [{ post: '护士长' }] }, context).map(problem => problem.message)).toEqual([
      { zh: '请填写所学专业', en: 'Please fill in Major' },
      { zh: '第 1 行：请填写工作经历·单位', en: 'Row 1: Please fill in Work history·Employer' },
      { zh: '第 1 行：工作经历·岗位最多 2 个字', en: 'Row 1: Work history·岗位 must have at most 2 characters' },
    ])
  })

  it('refuses fields the form does not have, __proto__ among them', () => {
    expect(reasons([item('name', 'text')], { name: '王·测', tenantId: '1' })).toEqual(['tenantId: unknown'])
    expect(reasons([], JSON.parse('{"__proto__":{"a":1},"constructor":1}'))).toEqual(['__proto__: unknown', 'constructor: unknown'])
  })

  it.each([
    ['text', '𬭎'.repeat(5), {}, []],
    ['text', '𬭎'.repeat(6), {}, ['too-long']],
    ['text', 12, {}, ['type']],
    ['text', 'AB12', { pattern: '[A-Z]{2}\\d{2}' }, []],
    ['text', 'AB1', { pattern: '[A-Z]{2}\\d{2}' }, ['pattern']],
    ['text', 'aaaa', { pattern: '(a+)+' }, ['pattern']],
    ['number', '12.5', { min: 1, max: 20 }, []],
    ['number', 9, { min: 10 }, ['min']],
    ['number', '100', { max: 20 }, ['max']],
    ['number', '1e3', {}, ['type']],
    ['number', '', {}, []],
    ['date', '2024-02-29', {}, []],
    ['date', '2026-02-29', {}, ['date']],
    ['date', '2026/02/28', {}, ['date']],
    ['date', '2020-01-01', { min: '2020-01-02' }, ['min']],
    ['date', '2020-01-03', { max: '2020-01-02' }, ['max']],
    ['month', '2024-02', {}, []],
    ['month', '2024-13', {}, ['date']],
    ['select', '20', { dictCode: 'education' }, []],
    ['select', '21', { dictCode: 'education' }, ['dictionary']],
    ['radio', '1', { dictCode: 'nowhere' }, ['dictionary']],
    ['radio', 1, { dictCode: 'education' }, ['type']],
    ['checkbox', ['执业医师', '护士'], { dictCode: 'cert' }, []],
    ['checkbox', ['执业医师', '执业医师'], { dictCode: 'cert' }, ['type']],
    ['checkbox', ['律师'], { dictCode: 'cert' }, ['dictionary']],
    ['checkbox', '执业医师', { dictCode: 'cert' }, ['type']],
    ['cascader', '20', { dictCode: 'education' }, []],
    ['cascader', ['10', '20'], { dictCode: 'education' }, []],
    ['region', '330106', {}, []],
    ['region', '320102', {}, ['dictionary']],
    ['region', '西湖区', {}, ['type']],
    ['image', '1900123', {}, []],
    ['signature', '../etc', {}, ['type']],
    ['idcard', '330106199806301023', {}, []],
    ['idcard', '330106199806301024', {}, ['id-card']],
    ['phone', '13800000001', {}, []],
    ['phone', '12800000001', {}, ['phone']],
  ] as const)('%s %j with %j → %j', (fieldType, value, more, expected) => {
    const field = item('f', fieldType, { maxLen: 5, ...more })
    expect(validateContent([field], { f: value }, context).map(problem => problem.reason)).toEqual(expected)
  })

  it('applies the name rule to the field name', () => {
    expect(reasons([item('name', 'text')], { name: '张伟1' })).toEqual(['name: name'])
    expect(reasons([item('name', 'text')], { name: '阿卜杜拉•买买提' })).toEqual([])
  })

  it('checks the rows of a table, column by column', () => {
    const table = item('education', 'table', {
      maxRows: 2,
      columns: [
        { key: 'begin', label: '开始', fieldType: 'month', required: true },
        { key: 'school', label: '学校', fieldType: 'text', maxLen: 4 },
      ],
    })
    expect(reasons([table], { education: [{ begin: '2015-09', school: '某大学' }] })).toEqual([])
    expect(reasons([table], { education: [{ begin: '', school: '某某某大学' }, 'x', { begin: '2015-09' }] })).toEqual(['education: rows'])
    expect(reasons([table], { education: [{ begin: '', school: '某某某大学', by: 1 }, 'x'] })).toEqual([
      'education.0.by: unknown',
      'education.0.begin: required',
      'education.0.school: too-long',
      'education.1: type',
    ])
    expect(reasons([table], { education: '无' })).toEqual(['education: type'])
  })

  it('lets school and major carry the code of the catalogue', () => {
    const items = [item('school', 'school'), item('major', 'major')]
    expect(reasons(items, { school: '新疆医科大学', schoolCode: '4165010760', major: '临床医学', majorCode: '100201K' })).toEqual([])
    expect(reasons(items, { school: '某校', schoolCode: 'x y' })).toEqual(['schoolCode: type'])
  })

  it('shows fields by the answers of others, along chains, and skips hidden ones', () => {
    const items = [
      item('hasCert', 'radio'),
      item('certName', 'text', { required: true, visibleWhen: { key: 'hasCert', op: 'eq', value: '1' } }),
      item('certNo', 'text', { required: true, visibleWhen: { key: 'certName', op: 'notEmpty' } }),
      item('why', 'text', { required: true, visibleWhen: { key: 'hasCert', op: 'ne', value: '1' } }),
      item('kind', 'text', { visibleWhen: { key: 'certName', op: 'in', value: ['甲', '乙'] } }),
      item('loopA', 'text', { visibleWhen: { key: 'loopB', op: 'notEmpty' } }),
      item('loopB', 'text', { visibleWhen: { key: 'loopA', op: 'notEmpty' } }),
    ]
    expect([...visibleKeys(items, {})]).toEqual(['hasCert', 'why'])
    expect([...visibleKeys(items, { hasCert: '1', certName: '乙' })]).toEqual(['hasCert', 'certName', 'certNo', 'kind'])
    expect([...visibleKeys(items, { hasCert: '0', certName: '乙' })]).toEqual(['hasCert', 'why'])
    expect(reasons(items, { hasCert: '1' })).toEqual(['certName: required'])
    expect(normalizeContent(items, { hasCert: '0', certName: '乙', why: ' x ' })).toEqual({ hasCert: '0', why: 'x' })
  })

  it('[S7.47] keeps no control and no mark of direction, in lines, texts and cells', () => {
    const items = [item('unit', 'text'), item('note', 'textarea'), item('resume', 'table'), item('certs', 'checkbox')]
    const content = {
      unit: 'a\u0007b\u202Ec',
      note: '一\r\n二\u0000',
      resume: [{ unit: '某\n院\u200B', begin: '2019-08' }],
      certs: ['护士\uFEFF'],
    }
    expect(normalizeContent(items, content)).toEqual({
      unit: 'abc',
      note: '一\n二',
      resume: [{ unit: '某 院', begin: '2019-08' }],
      certs: ['护士'],
    })
  })

  it('[21.3] stores the cells of a table as fields of their types', () => {
    const columns = [
      { key: 'tel', label: '电话', fieldType: 'phone' },
      { key: 'no', label: '证件', fieldType: 'idcard' },
      { key: 'at', label: '入学', fieldType: 'month' },
    ] as const
    const rows = [{ tel: '+86 139 1234 5678', no: '330106-1995-0812-003ｘ', at: '２０１９－０８', other: 'a\u200B' }]
    expect(normalizeContent([{ itemKey: 'family', fieldType: 'table', visibleWhen: null, columns }], { family: rows })).toEqual({
      family: [{ tel: '13912345678', no: '33010619950812003X', at: '2019-08', other: 'a' }],
    })
  })

  it('stores numbers half-width, names folded, and derives birthday and sex', () => {
    const items = [item('name', 'text'), item('idCard', 'idcard'), item('phone', 'phone'), item('note', 'textarea')]
    const content = { name: ' 阿卜杜拉•买买提', idCard: '33010619950812003ｘ', phone: '１3800000001', note: ' a\n' }
    expect(normalizeContent(items, content)).toEqual({
      name: '阿卜杜拉·买买提',
      idCard: '33010619950812003X',
      phone: '13800000001',
      note: 'a',
    })
    expect(withDerived({ idCard: '440106199202290082', sex: '1' }, context.today)).toEqual({
      idCard: '440106199202290082',
      birthday: '1992-02-29',
      sex: '2',
      idCardType: '1',
    })
    expect(withDerived({ idCard: '1' }, context.today)).toEqual({ idCard: '1' })
    const derived = [item('idCard', 'idcard'), item('sex', 'radio'), item('birthday', 'date')]
    expect(reasons(derived, { idCard: '440106199202290082', sex: '1', birthday: '1992-02-28' })).toEqual([
      'birthday: derived',
      'sex: derived',
    ])
  })

  it('answers any value of any field without throwing, and accepts its own normal form again', () => {
    const items = fieldTypes.map(type => item(type, type, { columns: [{ key: 'a', label: 'a', fieldType: 'text' }] }))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fieldTypes, 'name'), fc.anything(), { maxKeys: 5 }), content => {
        const problems = validateContent(items, content, context)
        if (problems.length === 0) expect(validateContent(items, normalizeContent(items, content), context)).toEqual([])
      }),
    )
  })
})

describe('patterns of form fields', () => {
  it.each(['\\d{15}|\\d{18}', '[A-Z]{2}\\d{6,10}', '(?:甲|乙)\\d+', '\\p{L}+', 'a\\+b', '[)+*]{3}'])('%s is safe', pattern =>
    expect(isSafePattern(pattern)).toBe(true),
  )

  it.each(['(a+)+', '(a|a)*', '(?=a)a', '(a)\\1', 'a*b*c*', '(a|b){9}', '[', 'a|b|c|d|e|f|g|h', 'a{500}', 'x'.repeat(201)])(
    '%s is refused',
    pattern => expect(isSafePattern(pattern)).toBe(false),
  )

  it('match the whole text', () => {
    expect(matchesPattern('\\d{3}', '123')).toBe(true)
    expect(matchesPattern('\\d{3}', '1234')).toBe(false)
    expect(matchesPattern('a|b', 'bc')).toBe(false)
    expect(matchesPattern('a+', 'a'.repeat(501))).toBe(false)
  })
})

describe('files of a sign-up', () => {
  const signFiles = [
    { fileKey: 'photo', fileLabel: '证件照', required: true },
    { fileKey: 'cert', fileLabel: '资格证', required: true, maxCount: 2, visibleWhen: { key: 'hasCert', op: 'eq', value: '1' } as const },
    { fileKey: 'late', fileLabel: '复审材料', required: true, stage: 2 as const },
  ]
  const items = [item('hasCert', 'radio')]
  const file = (fileKey: string, fileId: string) => ({ fileKey, fileId })

  it('are asked for by answers and stage', () => {
    expect(checkFiles(signFiles, items, { hasCert: '0' }, [file('photo', '1')])).toEqual([])
    expect(checkFiles(signFiles, items, { hasCert: '1' }, [])).toEqual([
      { fileKey: 'photo', reason: 'missing', message: { zh: '请上传证件照', en: 'Please upload 证件照' } },
      { fileKey: 'cert', reason: 'missing', message: { zh: '请上传资格证', en: 'Please upload 资格证' } },
    ])
    expect(checkFiles(signFiles, items, {}, [], 2).map(problem => problem.fileKey)).toEqual(['late'])
  })

  it('may not be too many or of unknown kind', () => {
    const files = [file('photo', '1'), file('photo', '2'), file('x', '3'), file('cert', '4')]
    expect(checkFiles(signFiles, items, {}, files).map(problem => [problem.fileKey, problem.reason])).toEqual([
      ['x', 'unknown'],
      ['photo', 'too-many'],
    ])
  })
})
