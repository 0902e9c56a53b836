import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SignupForm } from '../wire.ts'
import { writeKept } from './kept.ts'
import { dropLocal, forgetLost, hasArrived, keepLocal, lostFields, restoredValues, settleLocal } from './local-copy.ts'
import { type FormValues, itemsOf } from './model.ts'

const today = '2026-11-22'
const handedIn = '2026-11-22 09:00:00'
const later = Date.parse('2026-11-22T09:05:00+08:00')

const items = ['major', 'school', 'phone'].map(itemKey => ({
  itemKey,
  itemLabel: itemKey,
  fieldType: itemKey === 'phone' ? 'phone' : 'text',
}))
const signup = {
  examine: 1,
  submitTime: handedIn,
  content: { major: '护理', school: '甲校', phone: '16000000001' },
  code: 'B001',
  files: [],
}
const formOf = (more: Readonly<Record<string, unknown>> = {}, advice: readonly object[] = []): SignupForm =>
  ({
    exam: { id: '9' },
    groups: [{ name: '', items }],
    prefill: {},
    files: [],
    signup: { ...signup, ...more, advisementList: advice },
    draft: null,
    savedAt: null,
    draftVersion: 4,
    asksRegion: true,
    canSubmit: true,
  }) as unknown as SignupForm

const typed: FormValues = {
  province: '330000',
  city: '',
  area: '',
  post: { code: 'A002', codeName: '', unitName: '', typeName: '' },
  post2: null,
  content: { major: '助产学', school: '乙校', phone: '16000000002' },
  files: [],
}
const editsOf = (at: number, ...keys: string[]) => Object.fromEntries(keys.map(key => [key, { at, base: 3 }]))
const all = editsOf(later, 'major', 'school', 'phone', 'signup.post', 'signup.region')
const keep = (form: SignupForm, edits = all) => keepLocal('9', '1', itemsOf(form), typed, edits, later)
/** As an earlier version of the program has left it. */
const keepOld = (atMs = later) => {
  const { phone: _, ...content } = typed.content
  writeKept('9', '1', { values: { ...typed, content }, atMs })
}
beforeEach(() => dropLocal('9', '1'))
afterEach(() => void vi.unstubAllGlobals())

describe('what this device has kept of a form', () => {
  test('[S5.22] comes back when the server has nothing newer; a phone number never lies in the browser', () => {
    keep(formOf())
    expect(restoredValues(formOf(), '1', today)?.values).toMatchObject({
      province: '330000',
      post: { code: 'A002' },
      content: { major: '助产学', school: '乙校', phone: '16000000001' },
    })
    expect(restoredValues(formOf(), '2', today)).toBeNull()
  })

  test('[S5.22] of a returned form only the named parts come back', () => {
    const returned = formOf({ examine: 3 }, [{ kind: 'item', key: 'major', advice: '请核对' }])
    keep(returned)
    expect(restoredValues(returned, '1', today)?.values).toMatchObject({
      province: '',
      post: { code: 'B001' },
      content: { major: '助产学', school: '甲校' },
    })
  })

  test('[19.4] only what was changed here comes back, on the save it stands on: what another device has saved since is not undone', () => {
    keep(formOf(), editsOf(later, 'major'))
    const restored = restoredValues({ ...formOf(), savedAt: '2026-11-22 09:30:00' }, '1', today)
    expect(restored).toEqual({
      atMs: later,
      edits: { major: { at: later, base: 3 } },
      values: expect.objectContaining({ content: { major: '助产学', school: '甲校', phone: '16000000001' }, province: '' }),
    })
  })

  test('[19.4] two tabs keep their changes beside each other, of one field the later; the server takes them one by one', () => {
    keepLocal('9', '1', items as never, { ...typed, content: { major: '甲', school: '乙' } }, editsOf(later, 'major', 'school'), later)
    keepLocal('9', '1', items as never, { ...typed, content: { major: '丙', school: '' } }, editsOf(later + 1, 'major'), later + 1)
    const both = restoredValues(formOf(), '1', today)
    expect([both?.values.content['major'], both?.values.content['school'], Object.keys(both?.edits ?? {})]).toEqual([
      '丙',
      '乙',
      ['major', 'school'],
    ])
    settleLocal('9', '1', editsOf(later, 'school', 'major'))
    expect(restoredValues(formOf(), '1', today)?.edits).toEqual(editsOf(later + 1, 'major'))
    settleLocal('9', '1', editsOf(later + 1, 'major'))
    expect(restoredValues(formOf(), '1', today)).toBeNull()
  })

  test('[S5.22] what the server has already, its answer lost, is known as arrived; locked parts that wait for another time are not', () => {
    keep(formOf(), editsOf(later, 'major'))
    expect(hasArrived(formOf(), '1', today)).toBe(false)
    expect(hasArrived(formOf({ content: { ...signup.content, major: '助产学' } }), '1', today)).toBe(true)
    const returned = formOf({ examine: 3 }, [{ kind: 'item', key: 'school', advice: '请核对' }])
    expect([hasArrived(returned, '1', today), hasArrived(formOf(), '2', today)]).toEqual([false, false])
    dropLocal('9', '1')
    expect(hasArrived(formOf(), '1', today)).toBe(false)
  })

  test('[S5.22] a copy of an earlier version of the program is left aside where another device has saved since, and not where before', () => {
    keepOld()
    expect(restoredValues({ ...formOf(), savedAt: '2026-11-22 09:05:59' }, '1', today)?.atMs).toBe(later)
    expect(restoredValues({ ...formOf(), savedAt: '2026-11-22 09:06:00' }, '1', today)).toBeNull()
    expect(restoredValues({ ...formOf(), savedAt: '2026-11-22 09:04:00' }, '1', today)?.edits['major']).toEqual({ at: later, base: 4 })
    keepOld(Date.parse('2026-11-22T08:59:00+08:00'))
    expect(restoredValues(formOf(), '1', today)).toBeNull()
  })

  test('[S5.22] stays where it is while the form is closed', () => {
    keep(formOf())
    expect(restoredValues({ ...formOf(), canSubmit: false }, '1', today)).toBeNull()
    expect(restoredValues(formOf(), '1', today)?.atMs).toBe(later)
  })

  test('[30.4] a full store loses nothing while the page is open, and what it had before does not come back in its place', () => {
    const stored = new Map<string, string>()
    const full = { isFull: false }
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => {
        if (full.isFull) throw new DOMException('full', 'QuotaExceededError')
        stored.set(name, text)
      },
      removeItem: (name: string) => void stored.delete(name),
    })
    const school = () => restoredValues(formOf(), '1', today)?.values.content['school']
    keepLocal('9', '1', itemsOf(formOf()), { ...typed, content: { ...typed.content, school: '丙校' } }, all, later)
    expect([stored.size, school()]).toEqual([1, '丙校'])
    full.isFull = true
    keepLocal('9', '1', itemsOf(formOf()), typed, editsOf(later + 1000, 'school'), later + 1000)
    expect(school()).toBe('乙校')
    // With room again the next change is stored as ever.
    full.isFull = false
    keepLocal(
      '9',
      '1',
      itemsOf(formOf()),
      { ...typed, content: { ...typed.content, school: '丁校' } },
      editsOf(later + 2000, 'school'),
      later + 2000,
    )
    expect([school(), [...stored.values()].join().includes('丁校')]).toEqual(['丁校', true])
  })
})

describe('sensitive fields that were typed and never saved', () => {
  test('are named at the next visit, without what was typed, until they are saved or read', () => {
    keep(formOf())
    expect(lostFields(formOf(), '1')).toEqual(['phone'])
    expect(JSON.stringify(restoredValues(formOf(), '1', today))).not.toContain('16000000002')
    // What was typed in between is still lost when another field is changed.
    keep(formOf(), editsOf(later + 1, 'major'))
    settleLocal('9', '1', editsOf(later + 1, 'major', 'school', 'signup.post', 'signup.region'))
    expect(lostFields(formOf(), '1')).toEqual(['phone'])
    settleLocal('9', '1', editsOf(later, 'phone'))
    expect(lostFields(formOf(), '1')).toEqual([])
    keep(formOf())
    forgetLost('9', '1')
    expect([lostFields(formOf(), '1'), restoredValues(formOf(), '1', today) === null]).toEqual([[], false])
    expect(lostFields({ ...formOf(), canSubmit: false }, '1')).toEqual([])
  })
})
