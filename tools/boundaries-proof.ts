import { parseSync, Visitor } from 'oxc-parser'
import type { Finding } from './boundaries.ts'

const auth = 'server/src/modules/auth'

/**
 * What compares a password, a code or a second factor, and the files that may name it. All of it hangs on `prove` (`commands/prove.ts`), the one
 * counter of an account; `kernel` is where the comparison itself is written.
 */
const comparers: Readonly<Record<string, readonly string[]>> = {
  dummyVerify: [`${auth}/commands/check-password.ts`],
  createPasswordHasher: ['server/src/app.ts'],
  matchingStep: [`${auth}/commands/second-factor.ts`],
  spendRecoveryCode: [`${auth}/commands/second-factor.ts`, `${auth}/data/second-factor.repo.ts`],
  tryChallenge: [`${auth}/commands/challenge.ts`, `${auth}/data/challenge.repo.ts`],
  tryCode: [`${auth}/commands/challenge.ts`, `${auth}/commands/check-sms-code.ts`],
  reserveTry: [`${auth}/commands/prove.ts`, `${auth}/data/account.repo.ts`],
  releaseTry: [`${auth}/commands/prove.ts`, `${auth}/data/account.repo.ts`],
  clearTries: [`${auth}/commands/prove.ts`, `${auth}/data/account.repo.ts`],
  // Keys of programs, of browsers and of links: nobody guesses 256 bits, and no account is behind them.
  timingSafeEqual: [`${auth}/clients.ts`, `${auth}/device.ts`, 'server/src/demo/oauth-emulator/emulator.ts'],
}

/** The data map names every sealed column and reads none. */
const dataMap = 'server/src/evidence/personal-data.ts'
/** Names the columns that are sealed anew when a key is replaced; nothing is compared there. */
const sealedColumns = 'server/src/sealed-columns.ts'

/** Columns that hold what a proof is compared with, and the files that read or write them. */
const columns: Readonly<Record<string, readonly string[]>> = {
  password_hash: [
    `${auth}/data/account.repo.ts`,
    'server/src/admin.ts',
    // Counts the forms of stored hashes and compares none.
    'server/src/evidence/probes/identity.ts',
    'server/src/modules/person/data/closing.repo.ts',
    // Whether there is one at all: who was signed up by others chooses a password at the first log-in.
    'server/src/modules/signup/data/group.repo.ts',
    'server/src/modules/organisation/commands/save-user.ts',
    'server/src/modules/organisation/data/profile.repo.ts',
    'server/src/modules/tenancy/data/tenant-admin.repo.ts',
    'server/src/modules/organisation/data/user-admin.repo.ts',
    'server/src/modules/organisation/data/user.repo.ts',
  ],
  lock_hash: [`${auth}/data/session.repo.ts`],
  answer_hash: [`${auth}/data/challenge.repo.ts`],
  code_hash: [`${auth}/data/second-factor.repo.ts`],
  secret_sealed: [`${auth}/data/second-factor.repo.ts`, `${auth}/commands/second-factor.ts`, dataMap, sealedColumns],
  pending_sealed: [`${auth}/data/second-factor.repo.ts`, `${auth}/commands/second-factor.ts`, dataMap, sealedColumns],
}

const advice =
  'Passwords, codes and second factors are compared under the one counter of their account: ask `checkOwnPassword` or `insistOnSmsCode` of the auth module, or write a door beside them on `prove`.'

/** `password.verify(…)`, by whatever path the hasher was reached. */
const isPasswordVerify = (node: { type: string }): boolean => {
  const { object, property } = node as {
    object?: { name?: string; property?: { name?: string } }
    property?: { name?: string; value?: unknown }
  }
  const called = property?.name ?? property?.value
  return called === 'verify' && /passwords?$|hasher$/i.test(object?.name ?? object?.property?.name ?? '')
}

/** Comparisons outside of the one place (`prove`); `path` from the root of the project. */
export const checkProofs = (path: string, source: string): Finding[] => {
  if (!path.startsWith('server/src/') || path.startsWith('server/src/kernel/') || path.endsWith('.test.ts')) return []
  const { program } = parseSync(path, source)
  const found: Finding[] = []
  const add = (offset: number, what: string): void =>
    void found.push({ path, line: source.slice(0, offset).split('\n').length, found: what, advice })
  const look = (text: string, offset: number): void => {
    for (const [column, files] of Object.entries(columns))
      if (!files.includes(path) && new RegExp(`\\b${column}\\b`).test(text)) add(offset, column)
  }
  new Visitor({
    Identifier: ({ name, start }) => {
      const files = Object.hasOwn(comparers, name) ? comparers[name] : undefined
      if (files && !files.includes(path)) add(start, name)
    },
    MemberExpression: node => {
      if (isPasswordVerify(node) && path !== `${auth}/commands/check-password.ts`) add(node.start, 'passwords.verify')
    },
    Property: node => {
      // `const { verify } = passwords` is the same call under another name.
      const { key, value } = node as { key: { name?: string }; value: { type: string } }
      if (key.name === 'verify' && value.type === 'Identifier' && /\}\s*=\s*[\w.]*passwords\b/.test(source.slice(node.end, node.end + 80)))
        add(node.start, 'passwords.verify')
    },
    Literal: node => void (typeof node.value === 'string' && look(node.value, node.start)),
    TemplateElement: node => look(node.value.raw, node.start),
  }).visit(program)
  return found
}
