import type { Texts } from '#web/kernel/i18n/index.ts'

/** What somebody asks for and somebody else decides, as lists and windows show it. */
export interface Request {
  readonly id: string
  readonly state: number
  readonly reason: string
  readonly createTime: string
  readonly checkUser: string | null
  readonly checkTime: string | null
  readonly remark: string
  /** Who agreed first, and when it takes effect once both have. */
  readonly firstUser: string | null
  readonly applyTime: string | null
}

/** Texts that every kind of request has. */
export type RequestTexts = Texts<
  Readonly<
    Record<
      | `list.${'title' | 'reason' | 'state' | 'createTime' | 'checkUser' | 'checkTime' | 'remark' | 'keyword' | 'empty' | 'decide' | 'view'}`
      | `dialog.${'title' | 'view' | 'remark' | 'remark.need' | 'pass' | 'refuse'}`,
      string
    >
  >
>
