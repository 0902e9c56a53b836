import type { Label } from '../kernel/label.ts'

/** A school of the list that a name fits. */
export interface NamedSchool {
  readonly schoolCode: string
  /** Its name of today. */
  readonly schoolName: string
  readonly province: string
  readonly city: string
  /** The name that was looked up is one that it once had. */
  readonly isFormer: boolean
  /** Another school in use has the same name today. */
  readonly isShared: boolean
}

/** Most schools that a message lists. */
const mostNamed = 5
const placeOf = ({ province, city }: NamedSchool): string => (city === '' || city === province ? province : `${province}${city}`)

/** The school that is meant: the one of the code where that fits the name, else the only one of the name. */
export const schoolMeant = (found: readonly NamedSchool[], code: string | undefined): NamedSchool | undefined =>
  found.find(one => one.schoolCode === code) ?? (found.length === 1 ? found[0] : undefined)

/** Asks which of several schools is meant. */
export const whichSchool = (name: string, found: readonly NamedSchool[]): Label => {
  const listed = (divider: string, former: string): string =>
    found
      .slice(0, mostNamed)
      .map(one => `${one.schoolName}${one.isFormer ? former : ''} ${placeOf(one)} ${one.schoolCode}`)
      .join(divider)
  const more = found.length > mostNamed
  return {
    zh: `“${name}”对应 ${found.length} 所院校，请从列表中选择其中一所：${listed('；', '（曾用名相同）')}${more ? ' 等' : ''}`,
    en: `“${name}” is the name of ${found.length} schools; choose one of the list: ${listed('; ', ' (a former name)')}${more ? ' …' : ''}`,
  }
}

/** By its name of today, and by its code where another one has that name. */
const schoolTitle = ({ schoolName, schoolCode, isShared }: NamedSchool): string =>
  isShared ? `${schoolName}（${schoolCode}）` : schoolName

/** The school of a sign-up as lists, sheets and exports print it; null where the form names none. */
export const titleOfSchool = (
  found: ReadonlyMap<string, readonly NamedSchool[]>,
  { school: name, schoolCode: code }: Readonly<Record<string, unknown>>,
): string | null => {
  if (typeof name !== 'string' || name === '') return null
  const school = schoolMeant(found.get(name) ?? [], typeof code === 'string' ? code : undefined)
  return school ? schoolTitle(school) : name
}
