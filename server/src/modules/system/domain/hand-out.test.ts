import { describe, expect, test } from 'vitest'
import { beyondOwn, breaksSeparation, mayHandOut } from './hand-out.ts'

const role = (roleAlias: string, ...menuIds: string[]) => ({ id: '1', roleName: roleAlias, roleNameEn: '', roleAlias, menuIds })
const granter = (alias: string, ...menuIds: string[]) => ({ aliases: new Set([alias]), menuIds: new Set(menuIds) })

describe('[S6.04] nobody hands out what is not theirs', () => {
  test('a menu that is missing among one’s own is named', () => {
    expect(beyondOwn(new Set(['1', '2']), ['1', '3', '2', '4'])).toEqual(['3', '4'])
    expect(beyondOwn(new Set(['1']), [])).toEqual([])
  })
  test('an ordinary granter hands out parts of their own rights only', () => {
    expect(mayHandOut(granter('desk', '1', '2'), role('helper', '2'))).toBe(true)
    expect(mayHandOut(granter('desk', '1', '2'), role('helper', '2', '3'))).toBe(false)
    expect(mayHandOut(granter('xadmin', '1'), role('helper', '3'))).toBe(false)
  })
  test('who runs a tenant hands out any role of it, the platform’s own only whoever has it', () => {
    expect(mayHandOut(granter('admin', '1'), role('reviewer1', '9'))).toBe(true)
    expect(mayHandOut(granter('admin', '1'), role('admin', '9'))).toBe(true)
    expect(mayHandOut(granter('admin', '1'), role('administrator', '1'))).toBe(false)
    expect(mayHandOut(granter('administrator'), role('administrator', '1'))).toBe(true)
  })
  test('[19.18] administrator, security administrator and auditor do not hand out each other, nor does the platform', () => {
    const three = ['admin', 'secadmin', 'auditor']
    const handed = (alias: string) => three.filter(other => mayHandOut(granter(alias, '9'), role(other, '9')))
    expect([...three, 'administrator', 'desk'].map(handed)).toEqual([['admin'], ['secadmin'], ['auditor'], [], []])
  })
  test('one person holds one of administrator, security administrator and auditor', () => {
    expect(breaksSeparation(['admin', 'exam_admin'])).toBe(false)
    expect(breaksSeparation(['admin', 'auditor'])).toBe(true)
    expect(breaksSeparation(['secadmin', 'finance', 'auditor'])).toBe(true)
  })
})
