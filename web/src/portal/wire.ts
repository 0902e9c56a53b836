/**
 * Shapes of the calls a candidate makes, as domain.md 5.13 names them: ids are decimal strings, money is fen, dates are
 * `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. A shape leaves this file when the contract declares it.
 */

import type { OutputOf } from '#contract/kernel/route.ts'
import type { checkOrder, getMyPayList, getPayQrcode } from '#contract/pay/pay.routes.ts'
import type { examScore } from '#contract/result/result.routes.ts'
import type { Content, SignItem as ContractItem, TableColumn } from '#contract/signup/content.ts'
import type { SignFile as ContractFile } from '#contract/signup/required-files.ts'
import type { ApiOutput } from '#web/kernel/api.ts'

export type { Content }

type FormAnswer = ApiOutput<'GET /blade-signup/signup/getExamInfoOrSignUpInfo'>
export type ExamCard = ApiOutput<'GET /blade-signup/signup/examList'>['records'][number]
/** One own sign-up. */
export type MySignup = ApiOutput<'GET /blade-signup/signup/myExamList'>['records'][number]
export type NextAction = MySignup['nextAction']
export type ExamDetail = FormAnswer['exam']
export type SignupView = ApiOutput<'GET /blade-signup/signup/detail'>
export type Advisement = SignupView['advisementList'][number]
export type SubmitAnswer = ApiOutput<'POST /blade-signup/signup/submit'>
/** What is owed or was paid. Amounts are fen. */
export type PayRow = OutputOf<typeof getMyPayList>[number]
export type Qr = OutputOf<typeof getPayQrcode>
export type OrderState = OutputOf<typeof checkOrder>
export type ScoreView = OutputOf<typeof examScore>
/** A condition of the post against an answer, in words. */
export type AutoCheck = SubmitAnswer['autoCheck'][number]
/** The form against the posts it chooses and against itself. */
export type Judged = FormAnswer['judged']
/** One automatic finding about a portrait. */
export type Finding = NonNullable<ApiOutput<'POST /file/upload'>['checks']>[number]

export interface Page<T> {
  readonly records: readonly T[]
  readonly total: number
  readonly current: number
  readonly size: number
  readonly pages: number
}

export interface Option {
  readonly value: string
  readonly label: string
}

/** A form field with what drawing it needs beside its rules. */
export interface SignItem extends ContractItem {
  readonly options?: readonly Option[] | null
  readonly columns?: readonly (TableColumn & { readonly options?: readonly Option[] | null })[] | null
  readonly placeholder?: string | null
  readonly help?: string | null
  /** 0 normal, 1 personal, 2 sensitive. */
  readonly sensitive?: number
}

/** A file of the form; what was just uploaded knows no more than this. */
export interface UploadedFile {
  readonly fileKey: string
  readonly fileId: string
  readonly name: string
  readonly sizeBytes: number
  readonly mime?: string | null
  /** Short-lived. */
  readonly link?: string | null
  readonly checks?: readonly Finding[] | null
}

/** What an autosave beside a submitted sign-up keeps. */
export interface Draft {
  readonly province: string | null
  readonly city: string | null
  readonly area: string | null
  readonly code: string | null
  readonly code2: string | null
  readonly post: SignupView['post']
  readonly post2: SignupView['post']
  readonly content: Content
  readonly files: readonly UploadedFile[]
}

/** All that the form needs, with labels in the reader's language. */
export interface SignupForm {
  readonly exam: ExamDetail
  readonly groups: readonly SignGroup[]
  readonly prefill: Content
  /** Answers that are the account's. */
  readonly verified: Content
  readonly files: readonly SignFile[]
  readonly signup: SignupView | null
  readonly draft: Draft | null
  /** The post whose page the candidate came from. */
  readonly wanted?: PostRow | null
  /** Counts the saves of the kept form. */
  readonly draftVersion: number
  /** Changes beside what was handed in, by the names of their fields: those that the form leaves open, and those it does not. */
  readonly unsent: FormAnswer['unsent']
  /** What the server thinks of the kept form. */
  readonly judged: Judged
  /** When a draft was last saved, from whichever device. */
  readonly savedAt: string | null
  /** No field of the form asks for the place `exam.regionLabel` names, so the first step does. */
  readonly asksRegion: boolean
  readonly canSubmit: boolean
  /** The refused post may be handed in once more, as an appeal. */
  readonly canAppeal: boolean
  /** Why not, in the reader's language. */
  readonly reason: string | null
}

export interface SignGroup {
  readonly name: string
  readonly items: readonly SignItem[]
}

export interface PixelRule {
  readonly minW?: number
  readonly minH?: number
  readonly maxW?: number
  readonly maxH?: number
  /** Width / height, lowest and highest. */
  readonly ratio?: readonly [number, number] | null
}

export interface SignFile extends ContractFile {
  /** 1 certified photo, 2 and 3 the sides of the id card, 4… documents (domain.md 3.4). */
  readonly kind: number
  readonly accept?: string | null
  readonly maxKb?: number | null
  readonly minKb?: number | null
  readonly pixel?: PixelRule | null
  readonly sampleUrl?: string | null
  readonly help?: string | null
}

export interface PostRow {
  readonly code: string
  readonly codeName: string
  readonly type: string
  readonly typeName: string
  readonly unit: string
  readonly unitName: string
  readonly postLevel?: string | null
  readonly planNum: number
  readonly curNum: number
  readonly postState: number
  readonly ageText?: string | null
  readonly sexText?: string | null
  readonly educationText?: string | null
  readonly degreeText?: string | null
  readonly majorText?: string | null
  readonly freshText?: string | null
  readonly certText?: string | null
  readonly titleText?: string | null
  readonly otherText?: string | null
  readonly fee?: number | null
  readonly phone?: string | null
  readonly signCount?: number | null
  readonly passCount?: number | null
  readonly politicalText?: string | null
  readonly hukouText?: string | null
  readonly workYearsText?: string | null
  readonly remark?: string | null
  readonly group?: 'can' | 'person' | 'cannot' | null
  /** Why it takes nobody, whoever asks. */
  readonly bar?: string | null
  readonly mayInsist?: boolean
  readonly checks?: readonly {
    readonly rule: string
    readonly label: string
    readonly need: string
    readonly got: string
    readonly isSaid: boolean
    readonly result: 'ok' | 'no' | 'warn'
  }[]
}

export interface PostNode {
  readonly value: string
  readonly label: string
  readonly planNum?: number
  readonly curNum?: number
  readonly postState?: number
  readonly children?: readonly PostNode[]
}

export interface TicketItem {
  readonly itemId: string
  readonly itemName: string
  readonly itemType: number
  readonly startTime: string
  readonly ticketState: number
  readonly canDownload: boolean
  readonly reason?: string | null
  readonly needUpload?: boolean
  /** False: not passed, something owed, or money going back; `reason` says which. */
  readonly isEntitled?: boolean
}

export interface TicketRow {
  readonly id: string
  readonly examId: string
  readonly itemId: string
  readonly itemName: string
  readonly type: number
  readonly ticketNo: string
  readonly name: string
  readonly siteName: string
  readonly siteAddress?: string | null
  readonly roomNo: string
  readonly roomName?: string | null
  readonly seatNo: string
  readonly startTime: string
  readonly endTime: string
  readonly reportTime?: string | null
  readonly ticketState: number
  readonly remark?: string | null
}

export interface TicketNotice {
  readonly id?: string
  readonly title?: string | null
  readonly content?: string | null
  readonly downBegin?: string | null
  readonly downEnd?: string | null
  readonly needRead?: boolean | number
  readonly readSeconds?: number | null
  readonly read?: boolean
}

/** A personal message. */
export interface NotifyRow {
  readonly id: string
  readonly kind: number
  readonly title: string
  readonly content: string
  readonly link?: string | null
  readonly needSure: boolean | number
  readonly sureTime?: string | null
  readonly readTime?: string | null
  readonly createTime: string
}
