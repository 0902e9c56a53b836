import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changedParts,
  type DraftForm,
  formOfParts,
  isPartOpen,
  mergeDraft,
  noMarks,
  partsOf,
  post2Part,
  postPart,
  takeParts,
} from './draft-merge.ts'
import { regionKey } from './region.ts'

const form = (more: Partial<DraftForm> = {}): DraftForm => ({ content: {}, files: [], code: null, code2: null, region: undefined, ...more })
const file = (fileKey: string, fileId: string) => ({ fileKey, fileId })

describe('[19.4] a form in parts', () => {
  it('comes apart and together again', () => {
    const parts = partsOf(form({ content: { name: '王' }, files: [file('photo', '2'), file('photo', '1')], code: 'A1', region: '330106' }))
    expect(parts).toEqual({ name: '王', 'file:photo': ['1', '2'], [postPart]: 'A1', [post2Part]: '', [regionKey]: '330106' })
    expect(formOfParts(parts)).toEqual({ content: { name: '王' }, fileIds: { photo: ['1', '2'] }, code: 'A1', code2: '', region: '330106' })
  })

  it('what another field fills in goes with it', () => {
    const before = { school: '甲', schoolCode: '1', idCard: 'x', birthday: '2000-01-01', sex: '1', major: '护理学' }
    const after = { school: '乙', idCard: 'y', birthday: '2001-01-01', sex: '2', major: '护理学', majorCode: '101101' }
    expect(changedParts(before, after)).toEqual(['school', 'idCard', 'major'])
    expect(takeParts(before, after, new Set(['school']))).toEqual({ ...before, school: '乙', schoolCode: undefined })
  })

  it('a returned form leaves open what was asked for', () => {
    const open = { everything: false, itemKeys: new Set(['phone']), fileKeys: new Set(['photo']), post: false }
    expect(['phone', 'name', 'file:photo', 'file:diploma', postPart].map(field => isPartOpen(open, field))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
    expect(isPartOpen(null, 'name')).toBe(true)
  })
})

const kept = {
  parts: { name: '王', phone: '1', [postPart]: 'A1' },
  marks: { v: 3, keys: { phone: [3, 900] as const, name: [1, 100] as const } },
}

describe('[19.4] two devices', () => {
  it('each takes what the other has not touched; nothing that was not changed is undone', () => {
    const merged = mergeDraft(kept, { parts: { name: '王一', phone: '0', [postPart]: '' }, edits: { name: { at: 950, base: 2 } } }, 1_000)
    expect(merged).toEqual({
      parts: { name: '王一', phone: '1', [postPart]: 'A1' },
      marks: { v: 4, keys: { phone: [3, 900], name: [4, 950] } },
      conflicts: [],
    })
  })

  it('both have changed one field since their common base: it stays, and the candidate is asked', () => {
    const merged = mergeDraft(kept, { parts: { name: '王', phone: '2' }, edits: { phone: { at: 950, base: 2 } } }, 1_000)
    expect([merged.parts['phone'], merged.marks, merged.conflicts]).toEqual(['1', kept.marks, [{ key: 'phone', at: 900 }]])
    // The same edit with the other's save as its base is a choice.
    const chosen = mergeDraft(kept, { parts: { phone: '2' }, edits: { phone: { at: 950, base: 3 } } }, 1_000)
    expect([chosen.parts['phone'], chosen.conflicts]).toEqual(['2', []])
  })

  it('both have changed it to the same: there is nothing to choose', () => {
    expect(mergeDraft(kept, { parts: { phone: '1' }, edits: { phone: { at: 950, base: 0 } } }, 1_000)).toEqual({ ...kept, conflicts: [] })
  })

  it('a save whose answer was lost is one’s own, not another device’s', () => {
    const send = (value: string, at: number, was?: number[]) =>
      mergeDraft(kept, { parts: { phone: value }, edits: { phone: { at, base: 2, ...(was && { was }) } } }, 1_000)
    // Typed on since, however often: any of the saves may be the one that arrived. The very edit again may read otherwise (spaces).
    for (const own of [send('2', 950, [900]), send('2', 950, [800, 900, 940]), send('1 ', 900, [900])])
      expect([own.conflicts, own.marks.v]).toEqual([[], 4])
    expect(send('2', 950, [800]).conflicts).toEqual([{ key: 'phone', at: 900 }])
  })

  it('a save whose answer was lost is known as one’s own by a device whose clock is ahead', () => {
    const first = mergeDraft({ parts: {}, marks: noMarks }, { parts: { a: '1' }, edits: { a: { at: 5_000, base: 0 } } }, 1_000)
    const edits = { a: { at: 5_500, base: 0, was: [5_000] } }
    expect(mergeDraft(first, { parts: { a: '2' }, edits }, 1_500)).toMatchObject({ parts: { a: '2' }, conflicts: [] })
  })

  it('what was filled in ahead gives way without a question', () => {
    expect(mergeDraft(kept, { parts: { phone: '2' }, edits: { phone: { at: 0, base: 0 } } }, 1_000)).toEqual({ ...kept, conflicts: [] })
  })

  it('files by the key they stand under', () => {
    const files = { parts: partsOf(form({ files: [file('photo', '1')] })), marks: { v: 1, keys: { 'file:photo': [1, 5] as const } } }
    const sent = partsOf(form({ files: [file('diploma', '9'), file('photo', '2')] }))
    const edits = { 'file:diploma': { at: 7, base: 0 }, 'file:photo': { at: 7, base: 0 } }
    const merged = mergeDraft(files, { parts: sent, edits }, 10)
    expect([merged.parts['file:photo'], merged.parts['file:diploma'], merged.conflicts]).toEqual([
      ['1'],
      ['9'],
      [{ key: 'file:photo', at: 5 }],
    ])
  })

  it('a client that knows nothing of edits means the whole form; locked fields stay', () => {
    const whole = mergeDraft(kept, { parts: { name: '李', phone: '2', [postPart]: 'A1' }, edits: undefined }, 1_000, key => key !== 'name')
    expect(whole).toEqual({
      parts: { name: '王', phone: '2', [postPart]: 'A1' },
      marks: { v: 4, keys: { ...kept.marks.keys, phone: [4, 1_000] } },
      conflicts: [],
    })
  })

  it('a clock that is ahead marks nothing in the future', () => {
    expect(mergeDraft({ parts: {}, marks: noMarks }, { parts: { a: '1' }, edits: { a: { at: 5_000, base: 0 } } }, 1_000).marks).toEqual({
      v: 1,
      keys: { a: [1, 1_000, 5_000] },
    })
  })

  it('no edit of either device is ever lost, in whatever order they arrive', () => {
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3'))
    fc.assert(
      fc.property(values, values, (one, two) => {
        const editsOf = (parts: Record<string, string>, at: number) =>
          Object.fromEntries(Object.keys(parts).map(key => [key, { at, base: 0 }]))
        const first = mergeDraft({ parts: {}, marks: noMarks }, { parts: one, edits: editsOf(one, 1) }, 2)
        const second = mergeDraft(first, { parts: two, edits: editsOf(two, 2) }, 2)
        const asked = new Set(second.conflicts.map(({ key }) => key))
        for (const [key, value] of Object.entries(one)) if (!(key in two) || asked.has(key)) expect(second.parts[key]).toBe(value)
        for (const [key, value] of Object.entries(two)) if (!asked.has(key)) expect(second.parts[key]).toBe(value)
      }),
    )
  })
})
