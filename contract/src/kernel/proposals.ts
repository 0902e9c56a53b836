import { type Label, label } from './label.ts'

/** By which ways a person is told. */
export type Channel = 'sms' | 'notice'

export interface ProposalKind {
  readonly label: Label
  /** Permission of those who decide: they see how the person was told, and note a call where the text message did not arrive. */
  readonly right: string
  readonly channels: readonly Channel[]
  /**
   * Whether opening the message in the account counts as told. Not where the account itself may be in other hands: then only the phone that it is opened with
   * does.
   */
  readonly byReading: boolean
}
const byBoth = ['sms', 'notice'] as const
const ofAccount = { channels: byBoth, byReading: false } as const
const ofPerson = { channels: byBoth, byReading: true } as const

/**
 * Everything that is proposed against a person, or against what an account is opened with, by the name that its notices have. The days to answer or to object begin when
 * the person was told, by whichever of these ways came first; what was only sent begins nothing.
 */
export const proposalKinds = {
  appeal: { label: label('身份申诉', 'appeal about a number'), right: 'userappeal_edit', ...ofAccount },
  change: { label: label('变更已核实的信息', 'change of verified data'), right: 'userupdateinfo_edit', ...ofAccount },
  account: { label: label('变更账号的姓名或手机号', 'change of the name or phone of an account'), right: 'user_edit', ...ofAccount },
  password: { label: label('重置密码', 'reset of a password'), right: 'user_reset', ...ofAccount },
  factor: { label: label('停用两步验证', 'removal of a second factor'), right: 'user_totp', ...ofAccount },
  disqualification: { label: label('拟取消您的报名资格', 'a proposal to disqualify you'), right: 'recheck_uphold', ...ofPerson },
  integrity: {
    label: label('拟将违纪违规记入诚信档案', 'a proposal for the archive of integrity'),
    right: 'integrity_decide',
    ...ofPerson,
  },
  objection: { label: label('公示期间收到对您的异议', 'an objection to your hire'), right: 'selection_edit', ...ofPerson },
} as const satisfies Readonly<Record<string, ProposalKind>>
export type ProposalName = keyof typeof proposalKinds

/** Names one proposal: its kind and its row, as `appeal-123`. */
export type Subject = `${ProposalName}-${string}`
export const subjectOf = (kind: ProposalName, id: string): Subject => `${kind}-${id}`

/** @returns undefined for what names no proposal */
export const kindOfSubject = (subject: string): ProposalName | undefined => {
  const [, word] = /^([a-z]+)-\d{1,19}$/.exec(subject) ?? []
  return (Object.keys(proposalKinds) as ProposalName[]).find(kind => kind === word)
}
