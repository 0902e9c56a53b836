import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { examMachine } from '#contract/exam/exam.state.ts'
import { flowInstanceMachine, flowTaskMachine } from '#contract/flow/flow.state.ts'
import { leaveMachine } from '#contract/flow/leave.state.ts'
import type { Machine } from '#contract/kernel/machine.ts'
import { noticeMachine } from '#contract/news/notice.state.ts'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { alertMachine } from '#contract/oversight/alert.state.ts'
import { dueMachine, orderMachine, refundMachine } from '#contract/pay/order.state.ts'
import { waiverMachine } from '#contract/pay/waiver.state.ts'
import { appealMachine } from '#contract/person/appeal.state.ts'
import { verifiedChangeMachine } from '#contract/person/verified-change.state.ts'
import { reductionMachine, transferMachine } from '#contract/reduction/reduction.state.ts'
import { recheckMachine } from '#contract/result/recheck.state.ts'
import {
  callMachine,
  disqualificationMachine,
  recheckMachine as rereviewMachine,
  restorationMachine,
  stepMachine,
} from '#contract/selection/selection.state.ts'
import { integrityMachine } from '#contract/signup/integrity.state.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { accommodationMachine } from '#contract/ticket/accommodation.state.ts'
import { seatingMachine, ticketMachine } from '#contract/ticket/ticket.state.ts'
import { violationMachine } from '#contract/ticket/violation.state.ts'

/** What a page needs of a machine, whatever its states and events are called. */
interface AnyMachine {
  readonly name: string
  readonly initial: string
  readonly on: Readonly<Record<string, Readonly<Record<string, string | undefined>>>>
  readonly wire: Readonly<Record<string, number>>
  readonly label: Readonly<Record<string, { readonly zh: string; readonly en: string }>>
}

interface StatePage {
  /** File name under docs/states, without ending. */
  readonly page: string
  readonly title: string
  /** Export and file that the page is printed from. */
  readonly source: readonly [name: string, path: string]
  readonly machine: AnyMachine
}

const page = <S extends string, E extends string>(
  name: string,
  title: string,
  source: readonly [string, string],
  machine: Machine<S, E>,
): StatePage => ({
  page: name,
  title,
  source,
  machine,
})

/** Every machine of the contract; a test looks for one that is missing here. */
export const statePages: readonly StatePage[] = [
  page('account', 'Account', ['accountMachine', 'contract/src/organisation/account.state.ts'], accountMachine),
  page('exam', 'Examination', ['examMachine', 'contract/src/exam/exam.state.ts'], examMachine),
  page('signup', 'Sign-up', ['signupMachine', 'contract/src/signup/signup.state.ts'], signupMachine),
  page('reduction', 'Reduction of a post', ['reductionMachine', 'contract/src/reduction/reduction.state.ts'], reductionMachine),
  page('transfer', 'Transfer to another post', ['transferMachine', 'contract/src/reduction/reduction.state.ts'], transferMachine),
  page('seating', 'Seating of a paper', ['seatingMachine', 'contract/src/ticket/ticket.state.ts'], seatingMachine),
  page('ticket', 'Admission ticket', ['ticketMachine', 'contract/src/ticket/ticket.state.ts'], ticketMachine),
  page('recheck', 'Re-check of a score', ['recheckMachine', 'contract/src/result/recheck.state.ts'], recheckMachine),
  page('integrity', 'Record of integrity', ['integrityMachine', 'contract/src/signup/integrity.state.ts'], integrityMachine),
  page('accommodation', 'Request for help', ['accommodationMachine', 'contract/src/ticket/accommodation.state.ts'], accommodationMachine),
  page('violation', 'Violation', ['violationMachine', 'contract/src/ticket/violation.state.ts'], violationMachine),
  page('rereview', 'Re-review', ['recheckMachine', 'contract/src/selection/selection.state.ts'], rereviewMachine),
  page(
    'restoration',
    'Restoring a disqualified sign-up',
    ['restorationMachine', 'contract/src/selection/selection.state.ts'],
    restorationMachine,
  ),
  page(
    'disqualification',
    'Disqualifying a sign-up that has passed',
    ['disqualificationMachine', 'contract/src/selection/selection.state.ts'],
    disqualificationMachine,
  ),
  page('selection-call', 'Call to be answered', ['callMachine', 'contract/src/selection/selection.state.ts'], callMachine),
  page('selection-step', 'Stage after the interview', ['stepMachine', 'contract/src/selection/selection.state.ts'], stepMachine),
  page('fee-waiver', 'Request to be let off a fee', ['waiverMachine', 'contract/src/pay/waiver.state.ts'], waiverMachine),
  page('due', 'Due of a sign-up', ['dueMachine', 'contract/src/pay/order.state.ts'], dueMachine),
  page('order', 'Payment order', ['orderMachine', 'contract/src/pay/order.state.ts'], orderMachine),
  page(
    'verified-change',
    'Request to change verified data',
    ['verifiedChangeMachine', 'contract/src/person/verified-change.state.ts'],
    verifiedChangeMachine,
  ),
  page('refund', 'Refund', ['refundMachine', 'contract/src/pay/order.state.ts'], refundMachine),
  page('appeal', 'Appeal about a number', ['appealMachine', 'contract/src/person/appeal.state.ts'], appealMachine),
  page('flow-instance', 'Process that was started', ['flowInstanceMachine', 'contract/src/flow/flow.state.ts'], flowInstanceMachine),
  page('flow-task', 'Task of a process', ['flowTaskMachine', 'contract/src/flow/flow.state.ts'], flowTaskMachine),
  page('leave', 'Request for leave', ['leaveMachine', 'contract/src/flow/leave.state.ts'], leaveMachine),
  page('notice', 'Notice or news', ['noticeMachine', 'contract/src/news/notice.state.ts'], noticeMachine),
  page('alert', 'Alert on unusual volume', ['alertMachine', 'contract/src/oversight/alert.state.ts'], alertMachine),
]

const arrows = (machine: AnyMachine, state: string): string[] =>
  Object.entries(machine.on[state] ?? {}).flatMap(([event, to]) => (to === undefined ? [] : [`| \`${state}\` | ${event} | \`${to}\` |`]))

export const statesText = ({ title, source: [name, path], machine }: StatePage): string => {
  const states = Object.keys(machine.wire)
  return `# ${title}

Printed from \`${name}\` in \`${path}\` by \`npm run states\`.

| State | Wire | 中文 | English | |
|---|---|---|---|---|
${states
  .map(state => {
    const marks = [state === machine.initial ? 'first' : '', arrows(machine, state).length === 0 ? 'last' : ''].filter(Boolean).join(', ')
    return `| \`${state}\` | ${machine.wire[state]} | ${machine.label[state]?.zh} | ${machine.label[state]?.en} | ${marks} |`
  })
  .join('\n')}

| From | Event | To |
|---|---|---|
${states.flatMap(state => arrows(machine, state)).join('\n')}
`
}

// `npm run states` writes docs/states.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL('../docs/states/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const one of statePages) writeFileSync(new URL(`${one.page}.md`, folder), statesText(one))
  console.log(`${statePages.length} machines`)
}
