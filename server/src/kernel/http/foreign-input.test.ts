import { expect, test } from 'vitest'
import { apiScope } from '#contract/access/scope.resources.ts'
import { crudRoutes } from '#contract/kernel/crud-routes.ts'
import { answeredFields, answeredFor, isFrameworkSubmit, isReadOnlyField } from '#contract/kernel/framework.ts'
import { user } from '#contract/organisation/user.routes.ts'
import { allRoutes } from '#contract/registry.ts'
import { tenant } from '#contract/tenancy/tenant.routes.ts'
import { fromForeign, inexactNumbers } from './foreign-input.ts'
import { gather } from './input.ts'

const none: ReadonlySet<string> = new Set()

test('[21.7] what a resource answers is read-only where its submit does not take it, by the declared answers alone', () => {
  const answered = answeredFields(allRoutes())
  const of = (path: string) => answeredFor(answered, { path })
  expect(['passwordDue', 'lockedUntil', 'roleName', 'tenantName'].filter(name => !of('/blade-system/user/submit').has(name))).toEqual([])
  expect([...of('/blade-typeCode/typecode/submit')]).toEqual([])
  const accounts = of('/blade-system/user/submit')
  const known = ['$index', 'createUser', 'isDeleted', 'sexName', 'passwordDue', 'colour', 'index', 'colourName', 'admin', 'permissions']
  expect(known.filter(name => isReadOnlyField(name, accounts))).toEqual(['$index', 'createUser', 'isDeleted', 'sexName', 'passwordDue'])
  const submits = allRoutes().filter(isFrameworkSubmit)
  expect(submits.length > 15 && submits.every(({ path }) => of(path).size > 0 || path.endsWith('/field-rule/submit'))).toBe(true)
})

test('[21.8] values come in the declared type where they can be read in one way only', () => {
  const submit = user.submit.input as never
  const read = (input: object) => fromForeign(submit, input as never, none)
  expect(read({ code: 7, sex: '2', isLeader: true, version: '3', deptId: '5', birthday: '1990-01-02 00:00:00' })).toEqual({
    code: '7',
    sex: 2,
    isLeader: 1,
    version: 3,
    deptId: '5',
    birthday: '1990-01-02',
  })
  const asTheyAre = { code: true, sex: '02', isLeader: 'true', version: '3.0', birthday: '1990-01-02 08:00:00', name: ['a'], email: null }
  expect(read(asTheyAre)).toEqual(asTheyAre)
  // An empty text is left out where no text can stand, and stays where it is a value.
  expect(read({ sex: '', userType: '', name: '', roleId: '' })).toEqual({ name: '', roleId: '' })
  expect(fromForeign(tenant.setting.input as never, { ids: '1', accountNumber: '-1', expireTime: '' }, undefined)).toEqual({
    ids: '1',
    accountNumber: -1,
    expireTime: '',
  })
})

test('[21.8] a number that has lost digits is named, at any depth of a list', () => {
  const ids = JSON.parse('{"id":384057844913143828,"sort":1,"rate":0.5,"roleIds":[1,9007199254740993]}')
  expect(inexactNumbers(ids, 'en').map(({ field }) => field)).toEqual(['id', 'roleIds'])
  expect(inexactNumbers({ id: 9_007_199_254_740_991, rate: 0.1 }, 'zh')).toEqual([])
})

test('[21.8] of a list every id is named, of anything else the last value counts', () => {
  const { remove } = crudRoutes(apiScope)
  const of = (query: object, form?: Readonly<Record<string, string | readonly string[]>>, json?: object) =>
    gather(remove?.input as never, { query: query as never, form, json, writes: true })
  expect([of({ ids: ['1', '2,3'] }), of({ ids: '1, 2,' }), of({}, { ids: ['1', '2'] }), of({}, undefined, { ids: ['1', 2] })]).toEqual([
    { ids: '1,2,3' },
    { ids: '1,2' },
    { ids: '1,2' },
    { ids: '1,2' },
  ])
  expect(of({ ids: ',' })).toEqual({})
})
