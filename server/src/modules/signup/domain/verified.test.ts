import { expect, test } from 'vitest'
import { answersOfAccount, documentProblems, foreignAnswers, unverified, type VerifiedAnswers } from './verified.ts'

const noFacts = { birthday: null, sex: null, nationality: null }
const account = { name: '阿卜杜拉·买买提', idCard: '33010619950812003X', idCardType: '1', phone: '13800000001', ...noFacts }
const fields = (given: Readonly<Record<string, unknown>>, own = account as Parameters<typeof foreignAnswers>[0]) =>
  foreignAnswers(own, given).map(problem => problem.field)

test('[19.2] the same person written another way is the same person; left out is not foreign', () => {
  expect(fields({})).toEqual([])
  expect(fields({ name: '', idCard: null, phone: '' })).toEqual([])
  expect(fields({ name: '阿卜杜拉•买买提 ', idCard: '３３０１０６１９９５０８１２００３x', phone: ' 13800000001' })).toEqual([])
})

test('[19.2] another name, number or phone is named, whatever shape it comes in', () => {
  expect(fields({ name: '李四', idCard: '330106199806301023', phone: '13800000002' })).toEqual(['name', 'idCard', 'phone'])
  expect(fields({ name: ['阿卜杜拉·买买提', 'x'], idCard: { e: '' }, phone: 1 })).toEqual(['name', 'idCard', 'phone'])
  expect(foreignAnswers(account, { idCard: '330106199806301023' })).toEqual([
    {
      field: 'idCard',
      message: {
        zh: '证件号码与账号已核验的不一致；如需更正，请在“个人信息”申请信息变更',
        en: 'The id number differs from what was verified of your account; ask for a change under “My data”',
      },
    },
  ])
})

test('[19.2] an account without a verified number signs nobody up; one without a phone takes what is typed', () => {
  const none = { name: '王测', idCard: null, idCardType: null, phone: null, ...noFacts }
  expect(fields({ idCard: '330106199806301023', phone: '13800000002' }, none)).toEqual(['idCard'])
  expect(unverified(none).map(problem => problem.field)).toEqual(['idCard'])
  expect(unverified(account)).toEqual([])
  expect(answersOfAccount(none)).toEqual({ name: '王测', idCard: '' })
  expect(answersOfAccount(account)).toEqual({ name: account.name, idCard: account.idCard, idCardType: '1', phone: account.phone })
})

test('[19.8] the examination says whether it takes permanent residence cards of foreigners; nobody under 14 is taken', () => {
  const of = (idCard: string | null, allowForeignCard = false) =>
    documentProblems({ ...account, idCard }, { today: '2026-03-16', allowForeignCard, allowPassport: false }).map(({ field, message }) => [
      field,
      message.zh,
    ])
  const foreign = '911124198108030024'
  expect(of(foreign)).toEqual([['idCard', '本次考试不接受外国人永久居留身份证']])
  expect([of(foreign, true), of('33010619950812003X'), of('810000199410101237'), of(null)]).toEqual([[], [], [], []])
  expect(of('330199201203175025', true)).toEqual([['idCard', '未满 14 周岁不能注册和报名']])
})

test('[19.8] of a passport the account says birth date and sex; the examination says whether it takes one', () => {
  const passport = { ...account, idCard: 'E12345678', idCardType: '4', birthday: '1995-05-05', sex: '2', nationality: 'FRA' }
  const of = (more: Partial<VerifiedAnswers>, allowPassport = false) =>
    documentProblems({ ...passport, ...more }, { today: '2026-03-16', allowForeignCard: true, allowPassport }).map(
      ({ message }) => message.zh,
    )
  expect([of({}), of({}, true), of({ birthday: '2012-03-17' }, true)]).toEqual([['本次考试不接受护照'], [], ['未满 14 周岁不能注册和报名']])
  const { name, idCard, idCardType, phone, birthday, sex } = passport
  expect(answersOfAccount(passport)).toEqual({ name, idCard, idCardType, phone, birthday, sex })
  expect(fields({ idCard: 'e１２３４５６７８' }, passport)).toEqual([])
})
