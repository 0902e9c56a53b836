import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { roleErrors } from '#contract/access/role.errors.ts'
import { authErrors } from '#contract/auth/auth.errors.ts'
import { examErrors } from '#contract/exam/exam.errors.ts'
import { kernelErrors } from '#contract/kernel/errors.ts'
import type { RefusalDefinition } from '#contract/kernel/refusal.ts'
import { logErrors } from '#contract/log/log.errors.ts'
import { messageErrors } from '#contract/message/message.errors.ts'
import { userErrors } from '#contract/organisation/user.errors.ts'
import { watchErrors } from '#contract/oversight/watch.errors.ts'
import { payErrors } from '#contract/pay/pay.errors.ts'
import { personErrors } from '#contract/person/person.errors.ts'
import { dictErrors } from '#contract/reference/dict.errors.ts'
import { resultErrors } from '#contract/result/result.errors.ts'
import { signupErrors } from '#contract/signup/signup.errors.ts'
import { paramErrors } from '#contract/tenancy/param.errors.ts'
import { tenantErrors } from '#contract/tenancy/tenant.errors.ts'
import { ticketErrors } from '#contract/ticket/ticket.errors.ts'
import { exportErrors } from '#contract/transfer/export.errors.ts'

/** Every error table of the contract by its file; a test looks for one that is missing here. */
export const errorTables: Readonly<Record<string, Readonly<Record<string, RefusalDefinition>>>> = {
  'contract/src/kernel/errors.ts': kernelErrors,
  'contract/src/auth/auth.errors.ts': authErrors,
  'contract/src/transfer/export.errors.ts': exportErrors,
  'contract/src/log/log.errors.ts': logErrors,
  'contract/src/message/message.errors.ts': messageErrors,
  'contract/src/reference/dict.errors.ts': dictErrors,
  'contract/src/tenancy/param.errors.ts': paramErrors,
  'contract/src/access/role.errors.ts': roleErrors,
  'contract/src/tenancy/tenant.errors.ts': tenantErrors,
  'contract/src/oversight/watch.errors.ts': watchErrors,
  'contract/src/exam/exam.errors.ts': examErrors,
  'contract/src/signup/signup.errors.ts': signupErrors,
  'contract/src/pay/pay.errors.ts': payErrors,
  'contract/src/ticket/ticket.errors.ts': ticketErrors,
  'contract/src/result/result.errors.ts': resultErrors,
  'contract/src/person/person.errors.ts': personErrors,
  'contract/src/organisation/user.errors.ts': userErrors,
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const tableText = ([path, table]: readonly [string, Readonly<Record<string, RefusalDefinition>>]): string => `## \`${path}\`

| Code | Reason | Status | 中文 | English |
|---|---|---|---|---|
${Object.entries(table)
  .map(([reason, { code, status, zh, en }]) => `| ${code} | \`${reason}\` | ${status} | ${cell(zh)} | ${cell(en)} |`)
  .join('\n')}
`

export const errorsText = (): string => `# Refusals

Everything the server declines on purpose, printed from the error tables of the contract by \`npm run errors\`. The answer is
\`{code, success: false, data, msg, reason, traceId}\` with the HTTP status below; \`{…}\` in a text is filled in, and token calls add
OAuth's three fields. Several reasons may share a number: programs tell them apart by the reason.

${Object.entries(errorTables).map(tableText).join('\n')}`

// `npm run errors` writes docs/errors.md.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../docs/errors.md', import.meta.url)), errorsText())
  console.log(`${Object.values(errorTables).flatMap(table => Object.keys(table)).length} refusals`)
}
