import { describe, expect, test } from 'vitest'
import type { SignupForm } from '../wire.ts'
import { afterChoice, afterSave, editsAfter, editsToSend, onTheirWay, type Sync } from './draft.ts'
import type { FormValues } from './model.ts'

const form = (more: object = {}) =>
  ({
    exam: { id: '9' },
    groups: [],
    files: [],
    prefill: {},
    signup: null,
    draft: null,
    asksRegion: true,
    canSubmit: true,
    draftVersion: 2,
    ...more,
  }) as unknown as SignupForm
const values = (content: Record<string, unknown>, more: Partial<FormValues> = {}): FormValues => ({
  ...{ province: '', city: '', area: '', post: null, post2: null, content, files: [] },
  ...more,
})
const file = (fileKey: string, fileId: string) => ({ fileKey, fileId, name: `${fileId}.jpg`, sizeBytes: 1 })
const sync = (more: Partial<Sync> = {}): Sync => ({ version: 2, edits: {}, conflicts: [], ...more })
const answer = (more: object = {}) => ({ draftVersion: 3, conflicts: [], draft: null, ...more })
const draft = (content: object, more: object = {}) => ({
  province: null,
  city: null,
  area: null,
  code: null,
  code2: null,
  content,
  files: [],
  ...more,
})

describe('[19.4] what a device knows of its changes', () => {
  test('each change is noted with its time, on the save it stands on; typing on keeps that save', () => {
    const first = editsAfter(sync(), values({ name: '' }), values({ name: '王' }, { files: [file('photo', '1')] }), 100)
    expect(first).toEqual({ name: { at: 100, base: 2 }, 'file:photo': { at: 100, base: 2 } })
    const sent = onTheirWay(first, { name: { at: 100, base: 2 } })
    expect(editsAfter(sync({ version: 5, edits: sent }), values({ name: '王' }), values({ name: '王一' }), 200)).toEqual({
      name: { at: 200, base: 2, was: [100] },
      'file:photo': { at: 100, base: 2 },
    })
  })

  test('what the candidate is asked about waits, and what a return locks is not sent', () => {
    const edits = { major: { at: 1, base: 1 }, school: { at: 1, base: 1 }, phone: { at: 1, base: 1 } }
    const returned = form({
      signup: {
        examine: 3,
        advisementList: [
          { kind: 'item', key: 'major' },
          { kind: 'item', key: 'phone' },
        ],
      },
    })
    const conflicts = [{ key: 'phone', at: 1, theirs: values({}) }]
    expect(Object.keys(editsToSend(returned, sync({ edits, conflicts })))).toEqual(['major'])
  })

  test('a save that was taken leaves what was typed meanwhile, on the save that was made', () => {
    const sent = { name: { at: 100, base: 2 }, phone: { at: 100, base: 2 } }
    const state = {
      ...sync({ edits: { name: { at: 150, base: 2, was: [100] }, phone: { at: 100, base: 2, was: [100] } } }),
      values: values({ name: '王一', phone: '1' }),
    }
    expect(afterSave(form(), state, sent, answer())).toEqual({ ...state, version: 3, edits: { name: { at: 150, base: 3 } } })
  })

  test('what others have saved comes in beside it, files and posts too', () => {
    const state = {
      ...sync({ edits: { name: { at: 150, base: 2 } } }),
      values: values({ name: '王一', school: '甲' }, { files: [file('photo', '1')] }),
    }
    const theirs = draft(
      { name: '李', school: '乙' },
      { code: 'A1', post: { code: 'A1', codeName: '医师' }, files: [{ ...file('photo', '2'), size: 1 }], area: '330106' },
    )
    const after = afterSave(form(), state, {}, answer({ draft: theirs }))
    expect(after.values).toMatchObject({ content: { name: '王一', school: '乙' }, post: { code: 'A1', codeName: '医师' }, area: '330106' })
    expect(after.values.files.map(one => one.fileId)).toEqual(['2'])
  })

  test('what waits for a choice is asked against what stands now: a third value is not overwritten unseen', () => {
    const state = {
      ...sync({ edits: { name: { at: 100, base: 1 } }, conflicts: [{ key: 'name', at: 90, theirs: values({ name: '李' }) }] }),
      values: values({ name: '王' }),
    }
    const after = afterSave(form(), state, {}, answer({ draftVersion: 4, draft: draft({ name: '赵' }) }))
    expect([after.values.content, after.version, after.conflicts.map(one => [one.key, one.at, one.theirs.content])]).toEqual([
      { name: '王' },
      4,
      [['name', 90, { name: '赵' }]],
    ])
  })

  test('a field both have changed is asked about with both values, and the choice is sent or taken', () => {
    const sent = { name: { at: 100, base: 1 }, school: { at: 100, base: 1 } }
    const state = { ...sync({ edits: sent }), values: values({ name: '王', school: '甲' }) }
    const conflicts = [
      { key: 'name', at: 90 },
      { key: 'school', at: 120 },
    ]
    const asked = afterSave(form(), state, sent, answer({ conflicts, draft: draft({ name: '李', school: '乙' }) }))
    expect([asked.values.content, asked.conflicts.map(one => [one.key, one.at, one.theirs.content[one.key]])]).toEqual([
      { name: '王', school: '甲' },
      [
        ['name', 90, '李'],
        ['school', 120, '乙'],
      ],
    ])
    const chosen = afterChoice(asked, key => key === 'name', 500)
    expect(chosen).toMatchObject({
      values: { content: { name: '王', school: '乙' } },
      edits: { name: { at: 500, base: 3 } },
      conflicts: [],
    })
    expect(Object.keys(chosen.edits)).toEqual(['name'])
  })
})
