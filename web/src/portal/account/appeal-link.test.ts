import { expect, test } from 'vitest'
import { ApiError } from '#web/kernel/api-error.ts'
import { takenOf } from './appeal-link.tsx'

const refused = (reason: string, data: unknown = { appeal: { link: '/register/appeal?no=SS1&key=k' } }) =>
  takenOf(new ApiError({ code: 2902, status: 409, message: 'taken', reason, data }))

test('[19.7] a registration that was refused because of a number names its field, for the id number and for the phone', () => {
  const place = { message: 'taken', link: '/register/appeal?no=SS1&key=k' }
  expect([refused('auth/phone-taken'), refused('auth/id-card-taken')]).toEqual([
    { ...place, field: 'phone' },
    { ...place, field: 'idCard' },
  ])
  expect([refused('auth/account-taken'), refused('auth/phone-taken', null), takenOf(new Error('else'))]).toEqual([null, null, null])
})
