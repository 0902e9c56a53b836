import { type Label, label } from './label.ts'

/** One act that one person alone may not bring about. */
export interface TwoPersonAct {
  readonly label: Label
  /** The permission that the second person needs, as the first one did. */
  readonly second: string
  /** Parameter of the tenant above which it takes two, an amount in fen; without it always. */
  readonly above?: string
  /** It changes what somebody's account is opened with: the owner is told at once, may object, and nothing changes before the waiting time. */
  readonly waits?: true
  /** The row that it is about is an account, and the effect sets what that is opened with: both persons have had a hand in the account from then on. */
  readonly opensAccount?: true
  /** Paths of the calls that lead to the effect; each goes through the gate. */
  readonly paths: readonly string[]
  /** Functions that bring the effect about: the sweep finds them called nowhere but behind the gate. */
  readonly effects: readonly string[]
}

/**
 * Acts that need two persons, all of them: never the same person twice, never one who began what is now decided on, never two accounts of which one made the other what it
 * is, and never on other content than it was begun on. `kernel/two-persons.ts` of the server is the gate; `server/test/sweeps/two-persons.test.ts` tries every path by one person alone.
 */
export const twoPersonActs = {
  verifiedChange: {
    label: label('变更已核实的姓名、证件号或手机号', 'Change of a verified name, id number or phone'),
    second: 'userupdateinfo_edit',
    waits: true,
    paths: ['/blade-userupdateinfo/userupdateinfo/submit'],
    effects: ['writeIdentity'],
  },
  appeal: {
    label: label('身份申诉', 'Appeal about a number'),
    second: 'userappeal_edit',
    waits: true,
    paths: ['/blade-userappeal/userappeal/decide'],
    effects: ['takePhoneAway', 'takeIdCardAway', 'voidPassword'],
  },
  accountChange: {
    label: label('变更他人账号的姓名或手机号', 'Change of the name or phone of somebody’s account'),
    second: 'user_edit',
    waits: true,
    opensAccount: true,
    paths: ['/blade-system/user/submit', '/blade-system/user/decide-change'],
    effects: ['writeOpening'],
  },
  passwordReset: {
    label: label('重置他人密码', 'Reset of somebody’s password'),
    second: 'user_reset',
    waits: true,
    opensAccount: true,
    paths: ['/blade-system/user/reset-password'],
    effects: ['setOneTimePassword'],
  },
  secondFactorReset: {
    label: label('重置他人两步验证', 'Reset of somebody’s second factor'),
    second: 'user_totp',
    waits: true,
    opensAccount: true,
    paths: ['/blade-system/user/reset-second-factor'],
    effects: ['removeSecondFactor'],
  },
  manualPayment: {
    label: label('手工登记缴费', 'Payment entered by hand'),
    second: 'exampay_handleup',
    above: 'pay.manualDoubleCheckFen',
    paths: ['/blade-exam/examination/handleUp'],
    effects: ['writePaid'],
  },
  resultRelease: {
    label: label('发布成绩', 'Release of results'),
    second: 'result_release',
    paths: ['/blade-exam/examination/releaseResults'],
    effects: ['markReleased'],
  },
  trialMessage: {
    label: label('向外部号码试发短信', 'Trial of a text message to outside numbers'),
    second: 'sms_send',
    paths: ['/blade-resource/sms/send-message'],
    effects: ['insertTrial'],
  },
  waiverRefund: {
    label: label('减免并退回已缴费用', 'Waiver that pays back what was paid'),
    second: 'feewaiver_decide',
    paths: ['/blade-feeWaiver/feewaiver/decide'],
    effects: ['writeWaived'],
  },
  restore: {
    label: label('恢复报名资格', 'Restoration of a sign-up'),
    second: 'recheck_uphold',
    paths: ['/blade-signup/selection/decideRestore'],
    effects: ['seatAgain'],
  },
  disqualify: {
    label: label('取消报名资格', 'Disqualification of a sign-up'),
    second: 'recheck_uphold',
    paths: ['/blade-signup/selection/decideDisqualify'],
    effects: ['disqualifiedNotice'],
  },
  integrityRecord: {
    label: label('记入诚信档案', 'Record in the archive of integrity'),
    second: 'integrity_decide',
    paths: ['/blade-signup/integrity/decide'],
    effects: ['addToList'],
  },
  integrityLift: {
    label: label('解除诚信档案记录', 'Lifting of a record of integrity'),
    second: 'integrity_decide',
    paths: ['/blade-signup/integrity/lift'],
    effects: ['endEntry'],
  },
  integrityPaper: {
    label: label('确认本人签字的陈述（诚信档案）', 'Signed statement about a record of integrity'),
    second: 'integrity_decide',
    paths: ['/blade-signup/integrity/confirmStatement'],
    effects: ['storeConfirmed'],
  },
  disqualifyPaper: {
    label: label('确认本人签字的陈述（取消资格）', 'Signed statement about a disqualification'),
    second: 'recheck_uphold',
    paths: ['/blade-signup/selection/confirmStatement'],
    effects: ['storeConfirmed'],
  },
  objectionPaper: {
    label: label('确认本人签字的陈述（公示异议）', 'Signed statement about an objection'),
    second: 'selection_edit',
    paths: ['/blade-signup/objection/confirmStatement'],
    effects: ['storeConfirmed'],
  },
  objectionUpheld: {
    label: label('认定公示异议成立', 'Finding that an objection is right'),
    second: 'selection_edit',
    paths: ['/blade-signup/selection/endObjection'],
    effects: ['decideObjection'],
  },
  outsideMessage: {
    label: label('向外部号码发送短信', 'Text messages to outside numbers'),
    second: 'send_approve',
    paths: ['/blade-send/send/approve'],
    effects: ['freezeParts'],
  },
  refund: {
    label: label('审批退费', 'Approval of a refund'),
    second: 'payrefund_approve',
    paths: ['/blade-payRefund/payrefund/approve'],
    effects: ['approveRefund'],
  },
  refundAtDue: {
    label: label('在缴费单上审批退费', 'Approval of a refund at its due'),
    second: 'exampay_approve',
    paths: ['/blade-exam/examination/backPay'],
    effects: ['approveRefund', 'decideByHand'],
  },
  scoreCorrection: {
    label: label('确认更正已发布的成绩', 'Confirmation of a correction of a released score'),
    second: 'result_edit',
    paths: ['/blade-result/result/submit'],
    effects: ['applyCorrection'],
  },
  parameterChange: {
    label: label('放宽双人复核的参数', 'Change of a parameter that weakens a rule of two persons'),
    second: 'param_edit',
    paths: ['/blade-system/param/submit', '/blade-system/param/reset'],
    effects: ['parametersWritten', 'resetParams'],
  },
  platformParameter: {
    label: label('放宽双人复核的平台参数', 'Change of a parameter of the platform that weakens a rule of two persons'),
    second: 'platformparam_edit',
    paths: ['/blade-system/platform-param/submit'],
    effects: ['setPlatformParam'],
  },
} as const satisfies Readonly<Record<string, TwoPersonAct>>
export type TwoPersonKind = keyof typeof twoPersonActs
