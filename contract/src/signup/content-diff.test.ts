import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffContent, diffFiles, isSameValue, onlyAdvisedChanged, openParts } from './content-diff.ts'

const photo = (fileId: string) => ({ fileKey: 'photo', fileId })

describe('differences between two versions', () => {
  it('are by meaning: order of keys, empty values and number or text do not count', () => {
    expect(diffContent({ a: 1, b: '', c: { x: 1, y: [] } }, { c: { x: '1' }, a: '1' })).toEqual([])
    expect(diffContent({ a: ['1', '2'], b: 'x' }, { a: ['2', '1'], c: '新' })).toEqual([
      { key: 'a', before: ['1', '2'], after: ['2', '1'] },
      { key: 'b', before: 'x', after: null },
      { key: 'c', before: null, after: '新' },
    ])
  })

  it('of files ignore the order within one kind', () => {
    expect(diffFiles([photo('1'), photo('2')], [photo('2'), photo('1')])).toEqual([])
    expect(diffFiles([photo('1')], [photo('2'), { fileKey: 'cert', fileId: '3' }])).toEqual(['photo', 'cert'])
  })

  it('are none between a value and its copy, and the same both ways', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
        expect(diffContent(a, JSON.parse(JSON.stringify(a)))).toEqual([])
        expect(isSameValue(a, b)).toBe(isSameValue(b, a))
      }),
    )
  })
})

describe('scenario 9: only the advised parts may change', () => {
  const items = [
    { itemKey: 'major' },
    { itemKey: 'phone' },
    { itemKey: 'idCard' },
    { itemKey: 'certNo', visibleWhen: { key: 'certName', op: 'notEmpty' as const } },
    { itemKey: 'certName' },
  ]
  const files = [{ fileKey: 'photo' }, { fileKey: 'certFile', visibleWhen: { key: 'certName' } }]
  const before = { content: { major: '临床医学', phone: '13800000001' }, files: [photo('1')], code: 'B001', code2: null }
  const advice = [
    { kind: 'file', key: 'photo', advice: '背景应为白色' },
    { kind: 'item', key: 'major', advice: '与毕业证不一致' },
  ] as const
  const parts = openParts(advice, items, files)

  it('accepts exactly the two', () => {
    const after = { ...before, content: { ...before.content, major: '护理学', majorCode: '101101' }, files: [photo('2')] }
    expect(onlyAdvisedChanged(parts, before, after)).toEqual({
      ok: true,
      changedItems: ['major', 'majorCode'],
      changedFiles: ['photo'],
      locked: [],
    })
  })

  it('names what else was changed', () => {
    const after = {
      content: { major: '护理学', phone: '13900000002' },
      files: [...before.files, { fileKey: 'certFile', fileId: '9' }],
      code: 'B002',
    }
    expect(onlyAdvisedChanged(parts, before, { ...after, code2: 'A001' })).toEqual({
      ok: false,
      changedItems: ['major', 'phone'],
      changedFiles: ['certFile'],
      locked: ['phone', 'file:certFile', 'code', 'code2'],
    })
  })

  it('opens what hangs on an advised field', () => {
    const cert = openParts([{ kind: 'item', key: 'certName' }], items, files)
    expect([[...cert.itemKeys], [...cert.fileKeys], cert.post]).toEqual([['certName', 'certNo'], ['certFile'], false])
    expect([...openParts([{ kind: 'item', key: 'idCard' }], items).itemKeys]).toEqual(['idCard', 'birthday', 'sex', 'idCardType'])
  })

  it('opens the post by advice on the post, and everything by advice that names nothing', () => {
    expect(onlyAdvisedChanged(openParts([{ kind: 'post', key: 'code' }], items), before, { ...before, code: 'A001' }).ok).toBe(true)
    expect(openParts([{ kind: 'other', key: 'phone' }], items)).toMatchObject({ everything: false, post: false })
    const all = openParts([{ kind: 'other', key: '' }], items)
    expect(onlyAdvisedChanged(all, before, { ...before, content: { phone: '1' }, code: 'A001' }).ok).toBe(true)
  })
})
