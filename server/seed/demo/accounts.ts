import { chmod, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { PasswordHasher } from '#kernel/crypto/password.ts'
import { randomText } from '#kernel/random.ts'
import type { RoleAlias } from '../base/menus.ts'
import type { DeptKey } from './departments.ts'

/** One line of `<data>/demo-accounts.json` (decision 1.4). */
export interface DemoAccount {
  readonly role: RoleAlias
  readonly account: string
  readonly password: string
  readonly tenantId: string
  readonly userType: 1 | 2
}

export interface DemoRole {
  readonly role: RoleAlias
  readonly account: string
  readonly name: string
  /** Code of the unit, site or school the person is narrowed to (domain 3.6). */
  readonly userCode?: string
  readonly dept: DeptKey
  /** Held beside the first role: the person chooses in the header as what they work. */
  readonly also?: RoleAlias
}

/**
 * Who a demo has, with one person for each role and two where four eyes are asked for; the third
 * examination administrator belongs to another department and sees its examinations only. Names are made up.
 */
export const demoStaff: Readonly<Record<'first' | 'second', readonly DemoRole[]>> = {
  first: [
    { role: 'administrator', account: 'administrator', name: '平台管理员', dept: 'it' },
    { role: 'admin', account: 'admin', name: '周管理', dept: 'exams' },
    { role: 'secadmin', account: 'secadmin', name: '吴安全', dept: 'it' },
    { role: 'auditor', account: 'auditor', name: '郑审计', dept: 'discipline' },
    { role: 'exam_admin', account: 'examadmin1', name: '王考务', dept: 'exams' },
    { role: 'exam_admin', account: 'examadmin2', name: '冯考务', dept: 'exams' },
    { role: 'exam_admin', account: 'examadmin3', name: '何疾控', dept: 'cdcStaff', also: 'unit_hr', userCode: 'H05' },
    { role: 'unit_hr', account: 'unithr', name: '陈人事', userCode: 'H01', dept: 'hospitalStaff' },
    { role: 'reviewer1', account: 'reviewer1a', name: '褚初审', dept: 'exams' },
    { role: 'reviewer1', account: 'reviewer1b', name: '卫初审', dept: 'exams' },
    { role: 'reviewer2', account: 'reviewer2', name: '蒋复核', dept: 'exams' },
    { role: 'recheck', account: 'recheck', name: '沈复审', userCode: 'H01', dept: 'exams' },
    { role: 'finance', account: 'finance1', name: '韩财务', dept: 'finance' },
    { role: 'finance', account: 'finance2', name: '杨财务', dept: 'finance' },
    { role: 'site', account: 'site', name: '朱考点', userCode: '01', dept: 'exams' },
    { role: 'school', account: 'school', name: '秦院校', userCode: '4133010343', dept: 'exams' },
  ],
  second: [
    { role: 'admin', account: 'admin', name: '许管理', dept: 'exams' },
    { role: 'exam_admin', account: 'examadmin', name: '何考务', dept: 'exams' },
    { role: 'reviewer1', account: 'reviewer1', name: '吕初审', dept: 'exams' },
    { role: 'finance', account: 'finance', name: '施财务', dept: 'exams' },
  ],
}
const demoCandidates: Readonly<Record<'first' | 'second', readonly string[]>> = {
  // The third moved up in a re-review and has to answer.
  first: ['candidate1', 'candidate2', 'candidate3'],
  second: ['candidate1'],
}

/** Letters and digits that nobody mistakes for each other. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789'
const newPassword = (): string => [4, 4, 4].map(length => randomText(length, readable)).join('-')

const fileOf = (dataDir: string): string => join(dataDir, 'demo-accounts.json')

const read = async (file: string): Promise<readonly DemoAccount[] | undefined> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as readonly DemoAccount[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The accounts with their passwords, on the disk before anything in the database knows them: a start that dies in between finds the same
 * passwords again, and there are never accounts whose password nobody has.
 */
export const keepDemoAccounts = async (
  dataDir: string,
  tenants: { readonly first: string; readonly second: string },
  isSeeded: (tenantId: string) => boolean,
): Promise<readonly DemoAccount[]> => {
  const file = fileOf(dataDir)
  const known = (await read(file)) ?? []
  const wanted = (['first', 'second'] as const).flatMap(which => [
    ...demoStaff[which].map(({ role, account }) => ({ role, account, tenantId: tenants[which], userType: 1 as const })),
    ...demoCandidates[which].map(account => ({ role: 'candidate' as const, account, tenantId: tenants[which], userType: 2 as const })),
  ])
  const accounts = wanted.flatMap(({ role, account, tenantId, userType }): DemoAccount[] => {
    const before = known.find(one => one.account === account && one.tenantId === tenantId)
    // Of a tenant that was seeded with a file that is gone nobody knows the passwords; a list of wrong ones would be worse than none.
    if (!before && isSeeded(tenantId)) return []
    return [{ role, account, password: before?.password ?? newPassword(), tenantId, userType }]
  })
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(accounts, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
  return accounts
}

/** Argon2id hashes by `tenant|account`. */
export const hashPasswords = async (passwords: PasswordHasher, accounts: readonly DemoAccount[]): Promise<ReadonlyMap<string, string>> =>
  new Map(await Promise.all(accounts.map(async one => [`${one.tenantId}|${one.account}`, await passwords.hash(one.password)] as const)))
