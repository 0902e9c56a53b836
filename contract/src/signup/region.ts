import type { Label } from '../kernel/label.ts'

/** Province, city and district or county of a place: six-digit codes of GB/T 2260, empty where a level is not given. */
export interface RegionLevels {
  readonly province: string
  readonly city: string
  readonly area: string
}

/** Key under which advice, problems and comparisons name the region that the first step asks for; no field of a form can be called so. */
export const regionKey = 'signup.region'

/** The three levels of a six-digit code; all are empty for anything else. */
export const levelsOf = (code: string): RegionLevels =>
  /^\d{6}$/.test(code)
    ? {
        province: `${code.slice(0, 2)}0000`,
        city: code.endsWith('0000') ? '' : `${code.slice(0, 4)}00`,
        area: code.endsWith('00') ? '' : code,
      }
    : { province: '', city: '', area: '' }

/**
 * The field of a form that asks for the very place the region of the sign-up means (`exam.regionLabel`, domain 3.1). Nobody is asked twice
 * for one thing: where there is such a field, its answer is the region.
 */
export const regionItemOf = <T extends { readonly fieldType: string; readonly itemLabel: string }>(
  items: readonly T[],
  regionLabel: string,
): T | undefined => items.find(item => item.fieldType === 'region' && item.itemLabel === regionLabel)

/** Whether the first step asks for the region: no field of the form does. */
export const asksRegion = (regionLabel: string, items: readonly { readonly fieldType: string; readonly itemLabel: string }[]): boolean =>
  regionLabel !== '' && regionItemOf(items, regionLabel) === undefined

/** Whether the region of a sign-up is the household registration. A place of study or of the examination says nothing about that. */
export const isHousehold = (regionLabel: string): boolean => regionLabel.includes('户籍')

/** What the region of a sign-up usually means (domain 3.1); an office may call it something else. */
const regionLabels: readonly Label[] = [
  { zh: '户籍所在地', en: 'Registered household' },
  { zh: '生源地', en: 'Place of origin' },
  { zh: '报考考区', en: 'Exam district' },
  { zh: '现居住地', en: 'Place of residence' },
]
export const regionLabelOf = (zh: string): Label => regionLabels.find(label => label.zh === zh) ?? { zh, en: zh }
