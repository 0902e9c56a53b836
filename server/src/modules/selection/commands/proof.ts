import { toWireTime } from '#contract/kernel/when.ts'
import { callMachine } from '#contract/selection/selection.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type CallRow, listCalls, listContacts, readReceipt } from '../data/call.repo.ts'
import { isProven, type Proof } from '../domain/recheck.ts'

export const proofOf = async (db: TenantDb, call: CallRow): Promise<Proof> => {
  const { receiptAt, sms } = await readReceipt(db, call)
  return { hasReceipt: receiptAt !== null, sms, contacts: (await listContacts(db, call.id)).map(({ outcome }) => outcome) }
}

/** Of the call that waits for this person; undefined where none does. */
export const openProof = async (db: TenantDb, signupId: string): Promise<Proof | undefined> => {
  const call = (await listCalls(db, signupId)).find(({ state }) => state === 'waiting')
  return call && proofOf(db, call)
}

/** A call with everything that proves it, as officers read it. */
export const presentCall = async (db: TenantDb, call: CallRow, enough: number) => {
  const { receiptAt, sms } = await readReceipt(db, call)
  const contacts = await listContacts(db, call.id)
  return {
    id: call.id,
    kind: call.kind,
    stage: call.stage,
    state: callMachine.wire[call.state],
    deadline: toWireTime(call.deadline),
    answerTime: call.answeredAt && toWireTime(call.answeredAt),
    callTime: toWireTime(call.createdAt),
    receiptTime: receiptAt && toWireTime(receiptAt),
    sms,
    contacts: contacts.map(({ outcome, note, byName, createdAt }) => ({ outcome, note, byName, time: toWireTime(createdAt) })),
    proven: isProven({ hasReceipt: receiptAt !== null, sms, contacts: contacts.map(({ outcome }) => outcome) }, enough),
  }
}
