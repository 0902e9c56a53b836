import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkProofs } from './boundaries-proof.ts'

const root = join(import.meta.dirname, '..')
const files = readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' })
  .map(name => `server/src/${name.replaceAll('\\', '/')}`)
  .filter(path => path.endsWith('.ts'))

test('[19.17] boundaries › passwords, codes and second factors are compared in one place', () => {
  const findings = files.flatMap(path => checkProofs(path, readFileSync(join(root, path), 'utf8')))
  expect(findings.map(({ path, line, found, advice }) => `${path}:${line}  ${found}\n    ${advice}`).join('\n')).toBe('')
})

const door = 'server/src/modules/person/commands/new-door.ts'

test.each<[string, string, string]>([
  [door, `if (await deps.services.passwords.verify(a, b)) open()`, 'passwords.verify'],
  [door, `const { passwords } = services\nawait passwords['verify'](a, b)`, 'passwords.verify'],
  [door, `const { verify } = deps.services.passwords`, 'passwords.verify'],
  [door, `import { createPasswordHasher } from '#kernel/crypto/password.ts'`, 'createPasswordHasher'],
  [door, `import { matchingStep as step } from '#kernel/crypto/totp.ts'`, 'matchingStep'],
  [door, `import { timingSafeEqual } from 'node:crypto'`, 'timingSafeEqual'],
  ['server/src/modules/auth/http.ts', `import { tryCode } from './commands/challenge.ts'`, 'tryCode'],
  ['server/src/modules/auth/http.ts', `import { clearTries } from './data/account.repo.ts'`, 'clearTries'],
  ['server/src/modules/person/data/door.repo.ts', 'sql`select password_hash from account where id = 1`', 'password_hash'],
  ['server/src/modules/person/data/door.repo.ts', 'sql`select answer_hash from login_challenge`', 'answer_hash'],
])('[19.17] boundaries › in %s they refuse: %s', (path, source, found) => {
  expect([...new Set(checkProofs(path, source).map(one => one.found))]).toEqual([found])
})

test.each<[string, string]>([
  [door, `await deps.auth.checkOwnPassword(ctx, userId, password)\nawait deps.auth.insistOnSmsCode(ctx, given)`],
  [door, `const hash = await passwords.hash(password)\nsigner.verify(subject, signature, now)`],
  ['server/src/kernel/crypto/password.ts', `import { timingSafeEqual } from 'node:crypto'`],
])('[19.17] boundaries › in %s they allow: %s', (path, source) => {
  expect(checkProofs(path, source)).toEqual([])
})
