import { expect, test } from 'vitest'
import type { Advisement } from '#contract/signup/content-diff.ts'
import { type AdvisableForm, adviceOnNothing } from './advice.ts'

const form: AdvisableForm = { items: [{ itemKey: 'major' }], files: [{ fileKey: 'photo' }], asksRegion: false, needSignature: false }
const advice = (kind: Advisement['kind'], key: string): Advisement => ({ kind, key, advice: '请核对' })
const wrong = (list: readonly Advisement[], more: Partial<AdvisableForm> = {}) => adviceOnNothing(list, { ...form, ...more })?.key

test('[S7.49] advice is about something that sign-ups of the examination have', () => {
  expect([
    wrong([advice('item', 'major'), advice('file', 'photo'), advice('post', 'code'), advice('other', 'reviewer')]),
    wrong([advice('item', 'major'), advice('item', 'photo')]),
    wrong([advice('file', 'major')]),
    wrong([advice('item', 'signup.region')]),
    wrong([advice('item', 'signup.region')], { asksRegion: true }),
    wrong([advice('file', 'promiseSignature')]),
    wrong([advice('file', 'promiseSignature')], { needSignature: true }),
  ]).toEqual([undefined, 'photo', 'major', 'signup.region', undefined, 'promiseSignature', undefined])
})
