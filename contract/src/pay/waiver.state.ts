import { type Label, label } from '../kernel/label.ts'
import { defineMachine, stateOfWire } from '../kernel/machine.ts'

export type WaiverState = 'asked' | 'granted' | 'refused' | 'withdrawn'
export type WaiverEvent = 'ask' | 'grant' | 'refuse' | 'withdraw'

/** What somebody asks for who cannot bear the fee (amendment A11). Granted it stands: money has moved by it. */
export const waiverMachine = defineMachine<WaiverState, WaiverEvent>({
  name: 'feeWaiver',
  initial: 'asked',
  on: {
    asked: { grant: 'granted', refuse: 'refused', withdraw: 'withdrawn' },
    granted: {},
    refused: { ask: 'asked' },
    withdrawn: { ask: 'asked' },
  },
  wire: { asked: 0, granted: 1, refused: 2, withdrawn: 3 },
  label: {
    asked: { zh: '待审核', en: 'Waiting' },
    granted: { zh: '已同意', en: 'Granted' },
    refused: { zh: '未同意', en: 'Refused' },
    withdrawn: { zh: '已撤回', en: 'Withdrawn' },
  },
  tone: { asked: 'waiting', granted: 'passed', refused: 'refused', withdrawn: 'closed' },
})
export const stateOfWaiver = (wire: number): WaiverState | undefined => stateOfWire(waiverMachine, wire)

/** Who is let off a fee, as the notices about fees say it. */
export type WaiverKind = 'allowance' | 'poverty' | 'disability'
export const waiverKinds: Readonly<Record<WaiverKind, Label>> = {
  allowance: label('最低生活保障家庭', 'Household on minimum living allowance'),
  poverty: label('脱贫户、防止返贫监测对象', 'Household lifted from poverty or watched over'),
  disability: label('残疾人', 'Person with a disability'),
}

/** What is left of a fee; half fen are the payer's gain. */
export const feeAfterWaiver = (amountFen: number, percent: number): number => Math.floor((amountFen * (100 - percent)) / 100)
