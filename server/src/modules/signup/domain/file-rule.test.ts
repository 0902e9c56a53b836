import { describe, expect, it } from 'vitest'
import { type FileRule, fileFault, type JudgedFile } from './file-rule.ts'

const photo: FileRule = {
  ...{ kind: 1, fileLabel: '证件照', fileLabelEn: 'Portrait photo', accept: 'jpg', maxKb: 500, minKb: 5 },
  pixel: { minW: 295, minH: 413, maxW: 4_000, maxH: 6_000, ratio: [0.7, 0.76] },
}
const found = (size: string, more: readonly { rule: string; ok: boolean; got: string }[] = []) => ({
  ...{ ext: 'jpg', purpose: 'photo', receivedBytes: 48_000 },
  findings: [
    { rule: 'size', ok: size !== '100×140', got: size },
    { rule: 'ratio', ok: true, got: '0.71' },
    { rule: 'ground', ok: true, got: 'white 98 %' },
    ...more,
  ],
})

describe('the rule of a file', () => {
  it('judges the photo by the examination’s own pixels', () => {
    expect(fileFault(photo, found('295×413'))).toBeUndefined()
    const large = { ...photo, pixel: { minW: 600, minH: 840, maxW: 1_200, maxH: 1_680, ratio: [0.7, 0.76] as const } }
    expect(fileFault(large, found('600×840'))).toBeUndefined()
    expect(fileFault(large, found('295×413'))?.zh).toBe('证件照像素过小（295×413），至少 600×840')
    expect(fileFault(large, found('1300×1700'))?.en).toBe('The photo has too many pixels (1300×1700); at most 1200×1680')
    const square = { ...photo, pixel: { minW: 300, minH: 300, maxW: 900, maxH: 900, ratio: [1, 1] as const } }
    expect(fileFault(square, found('400×560'))?.zh).toBe('证件照宽高比应为 1 至 1，请裁剪')
    // The usual rule refuses a square and a small one; the examination's own takes them.
    expect(fileFault(square, found('400×400', [{ rule: 'ratio', ok: false, got: '1.00' }]))).toBeUndefined()
    expect(fileFault({ ...photo, pixel: { ...square.pixel, minW: 50, minH: 50, ratio: [0.7, 0.76] } }, found('100×140'))).toBeUndefined()
  })

  it('goes by the usual rule where the examination has none, and by every other finding', () => {
    expect(fileFault({ ...photo, pixel: null }, found('100×140'))?.zh).toBe('证件照像素过小')
    expect(fileFault(photo, found('295×413', [{ rule: 'decode', ok: false, got: 'damaged' }]))?.zh).toBe('证件照无法读取，请换一张')
    expect(fileFault(photo, { ...found('295×413'), findings: [] })).toBeUndefined()
  })

  it('takes other files by their ending, jpg and jpeg alike', () => {
    const file = (ext: string): JudgedFile => ({ ext, purpose: 'document', receivedBytes: 90_000, findings: [] })
    const diploma = { ...photo, kind: 4, fileLabel: '学历证书', fileLabelEn: '', accept: 'jpg,jpeg, png', pixel: null }
    for (const ext of ['jpg', 'jpeg', 'png']) expect(fileFault(diploma, file(ext))).toBeUndefined()
    expect(fileFault(diploma, file('pdf'))).toEqual({ zh: '学历证书只接受 jpg、png', en: '学历证书 must be jpg, png' })
    expect(fileFault({ ...diploma, accept: 'jpeg' }, file('jpg'))).toBeUndefined()
  })

  it('takes no picture for the photo that was not looked at as one', () => {
    const image = { ...found('295×413'), purpose: 'image' }
    expect(fileFault(photo, image)?.zh).toBe('请重新上传证件照：须作为证件照上传，经过自动检查')
    expect(fileFault({ ...photo, kind: 2, fileLabel: '身份证', accept: 'jpg' }, image)).toBeUndefined()
  })

  it('holds the examination’s own sizes against the file as it came', () => {
    const sized = (receivedBytes: number | null): JudgedFile => ({ ...found('295×413'), receivedBytes })
    expect(fileFault(photo, sized(512_000))).toBeUndefined()
    expect(fileFault(photo, sized(512_001))?.zh).toBe('证件照不能超过 500 KB（现为 501 KB）')
    expect(fileFault(photo, sized(5_120))).toBeUndefined()
    expect(fileFault(photo, sized(5_119))?.en).toBe('Portrait photo must have at least 5 KB; please send a clear one')
    expect(fileFault(photo, sized(null))).toBeUndefined()
  })
})
