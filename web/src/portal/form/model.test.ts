import { describe, expect, test } from 'vitest'
import type { Judged, SignupForm, UploadedFile } from '../wire.ts'
import {
  allProblems,
  displayValue,
  fileIdsOf,
  fileMended,
  isFileOpen,
  isForPost,
  isItemOpen,
  isMended,
  isReadOnly,
  missingNow,
  openPartsOf,
  serverProblem,
  spotOfAdvice,
  startValues,
  unmended,
} from './model.ts'

const today = '2026-11-20'
const photo: UploadedFile = { fileKey: 'photo', fileId: '7', name: 'p.jpg', sizeBytes: 9 }
const form = {
  exam: { id: '1', promise: '' },
  groups: [
    {
      name: '基本信息',
      items: [
        { itemKey: 'name', itemLabel: '姓名', fieldType: 'text', required: true },
        { itemKey: 'idCard', itemLabel: '证件号码', fieldType: 'idcard', required: true },
        { itemKey: 'birthday', itemLabel: '出生日期', fieldType: 'date', required: true },
        {
          itemKey: 'sex',
          itemLabel: '性别',
          fieldType: 'radio',
          required: true,
          dictCode: 'sex',
          options: [{ value: '1', label: '男' }],
        },
        { itemKey: 'major', itemLabel: '所学专业', fieldType: 'major', required: true },
      ],
    },
  ],
  prefill: { name: '阿卜杜拉·买买提', idCard: '110101199003077571' },
  files: [{ fileKey: 'photo', fileLabel: '证件照', kind: 1, required: true }],
  signup: null,
  draft: null,
  savedAt: null,
  asksRegion: true,
  canSubmit: true,
} as unknown as SignupForm

describe('a form', () => {
  test('[S5.22] starts with what is known, and the id card number tells birthday and sex', () => {
    expect(startValues(form, today).content).toEqual({
      name: '阿卜杜拉·买买提',
      idCard: '110101199003077571',
      birthday: '1990-03-07',
      sex: '1',
      idCardType: '1',
    })
  })

  test('names everything that is missing, in the order of the steps', () => {
    expect(allProblems(form, startValues(form, today), '请选择岗位', today, 'zh').map(one => [one.step, one.key, one.message])).toEqual([
      [1, 'post', '请选择岗位'],
      [2, 'major', '请填写所学专业'],
      [3, 'file:photo', '请上传证件照'],
    ])
  })

  test('[S5.22] names in one list all that the submit would: fields, files, what the server told, the undertaking and its signature', () => {
    const told = [
      { field: 'major', msg: '岗位要求所学专业' },
      { field: 'certName', msg: '岗位要求执业资格' },
    ]
    const judged = { autoCheck: [], told, demanded: [] } as unknown as Judged
    const state = { values: startValues(form, today), judged, promise: false, signature: '' }
    const need = { post: '请选择岗位', promise: '请阅读并同意', signature: '请签名' }
    const signed = { ...form, exam: { ...form.exam, needSignature: true } }
    const keys = (of: typeof state, coming: readonly string[] = [], at = signed) =>
      missingNow(at, of, [], new Set(coming), need, 'zh').map(one => one.key)
    expect(keys(state)).toEqual(['post', 'major', 'certName', 'file:photo', 'promise', 'signature'])
    expect(keys({ ...state, promise: true }, ['file:photo'])).toEqual(['post', 'major', 'certName', 'signature'])
    expect(keys({ ...state, promise: true, signature: '1' })).toEqual(['post', 'major', 'certName', 'file:photo'])
  })

  test('finds the field that the server means', () => {
    const place = (field: string) => {
      const { step, key } = serverProblem(form, field, 'x')
      return [step, key]
    }
    expect(['content.major', 'file_photo', 'files.photo', 'photo', 'code', 'promise'].map(place)).toEqual([
      [2, 'major'],
      [3, 'file:photo'],
      [3, 'file:photo'],
      [3, 'file:photo'],
      [1, 'post'],
      [4, 'promise'],
    ])
  })

  test('sends file ids by key and shows values by their words', () => {
    expect(fileIdsOf([photo, { ...photo, fileId: '8' }, { ...photo, fileKey: 'diploma', fileId: '9' }])).toEqual({
      photo: ['7', '8'],
      diploma: ['9'],
    })
    expect(displayValue({ fieldType: 'radio', options: [{ value: '1', label: '男' }] }, '1')).toBe('男')
  })
})

describe('a returned sign-up', () => {
  const returned = {
    ...form,
    signup: {
      examine: 3,
      content: { name: '阿卜杜拉·买买提', major: '临床医学' },
      files: [photo],
      code: 'A001',
      advisementList: [
        { kind: 'item', key: 'major', label: '所学专业', advice: '按证书填写' },
        { kind: 'file', key: 'photo', label: '证件照', advice: '背景应为白色' },
      ],
    },
  } as unknown as SignupForm

  test('opens only the advised parts', () => {
    const parts = openPartsOf(returned)
    expect([isItemOpen(parts, 'major'), isItemOpen(parts, 'name'), isFileOpen(parts, 'photo'), parts?.post]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(openPartsOf(form)).toBeNull()
  })

  test('[S7.47] of a draft only what may be changed comes back, and an answer left out on purpose is not filled in again', () => {
    const draft = {
      province: '330000',
      city: '',
      area: '',
      code: 'B001',
      code2: null,
      content: { name: '别的名字', major: '护理学' },
      files: [
        { ...photo, fileId: '8' },
        { ...photo, fileKey: 'diploma', fileId: '9' },
      ],
    }
    const prefill = { name: '阿卜杜拉·买买提', major: '临床医学', awards: '上次的获奖' }
    const withDraft = (more: object) => ({ ...returned, prefill, draft, ...more }) as unknown as SignupForm
    const signup = returned.signup
    expect(startValues(withDraft({}), today)).toEqual({
      province: '',
      city: '',
      area: '',
      post: { code: 'A001', codeName: 'A001', unitName: '', typeName: '' },
      post2: null,
      content: { name: '阿卜杜拉·买买提', major: '护理学' },
      files: [{ ...photo, fileId: '8' }],
    })
    const waits = { signup: { ...signup, examine: 1, advisementList: [] } }
    expect(startValues(withDraft({ ...waits, canSubmit: false }), today)).toMatchObject({
      post: { code: 'A001' },
      content: { name: '阿卜杜拉·买买提', major: '临床医学' },
      files: [photo],
    })
    const open = startValues(withDraft(waits), today)
    expect([open.content, open.post?.code, open.files.length]).toEqual([{ name: '别的名字', major: '护理学' }, 'B001', 2])
  })

  test('opens nothing of a sign-up that has passed or is in review and takes no change', () => {
    const inState = (examine: number, canSubmit: boolean) =>
      ({ ...form, canSubmit, signup: { ...returned.signup, examine } }) as unknown as SignupForm
    for (const examine of [1, 2, 5]) {
      const parts = openPartsOf(inState(examine, false))
      expect([isItemOpen(parts, 'major'), isFileOpen(parts, 'photo'), parts?.post]).toEqual([false, false, false])
    }
    // A new sign-up may be changed while the window is open; one that was refused may choose another post.
    expect([isReadOnly(inState(1, true)), isReadOnly(inState(4, false)), isReadOnly(form)]).toEqual([false, false, false])
    expect(openPartsOf(inState(1, true))).toBeNull()
  })

  test('knows where an advice is followed: what is read out of the id number in its field, the signature below the undertaking', () => {
    const about = (kind: 'item' | 'file' | 'post', key: string) => ({ kind, key, advice: '请核对' }) as Parameters<typeof spotOfAdvice>[0]
    const signed = about('file', 'promiseSignature')
    expect(
      [
        about('post', 'code'),
        about('item', 'signup.region'),
        about('item', 'birthday'),
        about('item', 'major'),
        about('file', 'photo'),
        signed,
      ].map(advice => Object.values(spotOfAdvice(advice))),
    ).toEqual([
      [1, 'post'],
      [1, 'signup.region'],
      [2, 'idCard'],
      [2, 'major'],
      [3, 'file:photo'],
      [4, 'signature'],
    ])
    const values = startValues(returned, today)
    expect([isMended(signed, returned, values, ''), isMended(signed, returned, values, '17')]).toEqual([false, true])
  })

  test('a file that proves a condition of the chosen post is asked for by it; one that proves a claim of the candidate is not', () => {
    const check = (rule: string, field: string) => ({ rule, field }) as Judged['autoCheck'][number]
    const judged = { autoCheck: [check('degree', 'file:degree'), check('evidence', 'file:licence'), check('sex', 'sex')] }
    expect(['degree', 'licence', 'sex', 'other'].filter(key => isForPost(judged, key))).toEqual(['degree'])
  })

  test('the first of a file was uploaded, another one replaced', () =>
    expect([fileMended({ key: 'degree' }, [photo]), fileMended({ key: 'photo' }, [photo])]).toEqual(['form.files.done', 'form.fix.file']))

  test('knows which advice has been followed', () => {
    const values = startValues(returned, today)
    const [major, picture] = returned.signup?.advisementList ?? []
    if (major === undefined || picture === undefined) throw new Error('no advice')
    expect([isMended(major, returned, values, ''), isMended(picture, returned, values, '')]).toEqual([false, false])
    const mended = { ...values, content: { ...values.content, major: '护理学' }, files: [{ ...photo, fileId: '8' }] }
    expect([isMended(major, returned, mended, ''), isMended(picture, returned, mended, '')]).toEqual([true, true])
  })

  test('[19.6] knows what was asked for and still reads as it was, of a return alone', () => {
    const values = startValues(returned, today)
    const half = { ...values, content: { ...values.content, major: '护理学' } }
    const mended = { ...half, files: [{ ...photo, fileId: '8' }] }
    const keys = (about: SignupForm, of: typeof values) => unmended(about, of, '').map(advice => advice.key)
    expect([keys(returned, values), keys(returned, half), keys(returned, mended)]).toEqual([['major', 'photo'], ['photo'], []])
    const about = (more: object) => ({ ...returned, signup: { ...returned.signup, ...more } }) as SignupForm
    expect(keys(about({ examine: 1 }), values)).toEqual([])
    expect(keys(about({ advisementList: [{ kind: 'other', key: 'other', advice: '请核对全部内容' }] }), values)).toEqual([])
    expect(keys({ ...returned, signup: null }, values)).toEqual([])
  })
})
