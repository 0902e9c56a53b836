import type { Label } from '#contract/kernel/label.ts'
import type { ProbeId } from './probes.ts'

/** Whose clauses an assessor goes through. */
export const standards = {
  protection: {
    folder: '1-classified-protection',
    label: {
      zh: 'GB/T 22239-2019 网络安全等级保护基本要求 第三级（应用与数据）',
      en: 'GB/T 22239-2019 classified protection, level 3 (application and data)',
    },
  },
  cryptography: {
    folder: '2-commercial-cryptography',
    label: {
      zh: 'GB/T 39786-2021 信息系统密码应用基本要求 第三级（应用和数据安全）',
      en: 'GB/T 39786-2021 use of cryptography, level 3 (application and data)',
    },
  },
} as const satisfies Readonly<Record<string, { readonly folder: string; readonly label: Label }>>
export type Standard = keyof typeof standards

/**
 * One demand of a standard, in our own words, and what the running installation shows about it.
 * A clause without a probe needs a `gap`; one with a probe may have a gap for the part that no program can show.
 */
export interface Clause {
  readonly standard: Standard
  /** As the standard numbers it: `8.1.4.1 a)`. */
  readonly number: string
  readonly title: Label
  /** What the clause asks for, shortened; the standard's own text decides. */
  readonly asks: Label
  readonly probes: readonly ProbeId[]
  /** What the product does not do or what only the organisation can show. */
  readonly gap?: Label
}
