import { expect, it } from 'vitest'
import { ApiError } from '../kernel/api-error.ts'
import { refusalOf } from './uploader.tsx'

const failure = (status: number) => new ApiError({ code: 2501, status, message: '文件无法读取：不是 xlsx 文件' })

it('a file that was looked at and refused says why; one that did not arrive may be sent again', () => {
  expect([400, 413, 422].map(status => refusalOf(failure(status)))).toEqual(Array(3).fill('文件无法读取：不是 xlsx 文件'))
  expect([0, 401, 408, 423, 429, 500, 503].map(status => refusalOf(failure(status)))).toEqual(Array(7).fill(null))
  expect(refusalOf(new Error('aborted'))).toBeNull()
})
