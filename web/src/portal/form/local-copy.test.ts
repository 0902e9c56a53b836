import { beforeEach, describe, expect, test } from 'vitest'
import type { SignupForm } from '../wire.ts'
import { dropLocal, keepLocal, restoredValues } from './local-copy.ts'
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
const keep = (form: SignupForm, atMs = later) => keepLocal('9', '1', itemsOf(form), typed, atMs)
beforeEach(() => dropLocal('9', '1'))

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

  test('[S5.22] is left aside where another device has saved a draft since, and not where it was saved before', () => {
    keep(formOf())
    expect(restoredValues({ ...formOf(), savedAt: '2026-11-22 09:06:00' }, '1', today)).toBeNull()
    expect(restoredValues({ ...formOf(), savedAt: '2026-11-22 09:04:00' }, '1', today)?.atMs).toBe(later)
    // Typed while a save was on its way, or by a clock that is some seconds behind.
    expect(restoredValues({ ...formOf(), savedAt: '2026-11-22 09:05:02' }, '1', today)?.atMs).toBe(later)
  })

  test.each([
    ['handed in since', {}, Date.parse('2026-11-22T08:59:00+08:00')],
    ['closed', { canSubmit: false }, later],
  ])('[S5.22] is left aside where the form was %s', (_case, more, atMs) => {
    keep(formOf(), atMs)
    expect(restoredValues({ ...formOf(), ...more }, '1', today)).toBeNull()
  })
})
