import type { Field } from '#contract/kernel/field.ts'
import type { Label } from '#contract/kernel/label.ts'
import { userNoun } from '#contract/organisation/user.noun.ts'
import { resultNoun } from '#contract/result/result.noun.ts'
import { signupNoun } from '#contract/signup/signup.noun.ts'
import { ticketNoun } from '#contract/ticket/ticket.noun.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { resourcesByPath } from '#web/resource/declared.ts'
import { FieldText } from '#web/resource/field-text.tsx'
import { textOf } from '#web/resource/fields.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { dictOf, fieldLabel, valueWords } from './audit-fields.ts'
import { monitorTexts } from './texts.ts'

type Values = Readonly<Record<string, unknown>>
type Declared = Readonly<Record<string, { readonly label: Label } | Field>>

const nouns = [userNoun, signupNoun, resultNoun, ticketNoun]
/** The fields of what a line is about, as its declaration names them. */
const declaredOf = (entity: string): Declared => {
  const name = entity.replaceAll('_', '-')
  const resource = [...resourcesByPath.values()].find(one => one.name === name)
  return { ...nouns.find(one => (one.entities as readonly string[]).includes(entity))?.fields, ...resource?.fields }
}

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A value that is no record stands under a name of its own. */
const valuesOf = (text: string): Values => {
  if (text === '') return {}
  const value: unknown = JSON.parse(text)
  return isValues(value) ? value : { '': value }
}

const DictWord = ({ code, value }: { readonly code: string; readonly value: string }) =>
  useDict(code).find(option => option.value === value)?.label ?? value

/** Values within values stand as `name: value`, lists after each other. */
const Value = ({
  entity,
  declared,
  name,
  value,
}: {
  readonly entity: string
  readonly declared: Declared
  readonly name: string
  readonly value: unknown
}) => {
  const t = useT(monitorTexts)
  const label = useLabel()
  if (value === null || value === undefined || value === '') return <>-</>
  const words = valueWords(entity, name, value)
  if (words !== null) return <>{label(words)}</>
  const dict = dictOf(entity, name)
  if (dict !== undefined) return <DictWord code={dict} value={String(value)} />
  if (typeof value === 'boolean') return <>{t(value ? 'form.yes' : 'form.no')}</>
  const field = declared[name]
  if (field !== undefined && 'kind' in field && field.kind !== 'json')
    return field.dict === undefined ? textOf(field, value, t('form.yes'), t('form.no')) : <FieldText field={field} value={value} />
  if (name.endsWith('Fen') && typeof value === 'number') return <>{t('audit.yuan', { amount: yuanOf(value) })}</>
  if (Array.isArray(value) && value.every(one => !isValues(one) && !Array.isArray(one))) return <>{value.join(t('audit.comma'))}</>
  const parts = Array.isArray(value)
    ? value.map((one, index) => [String(index + 1), one] as const)
    : isValues(value)
      ? Object.entries(value)
      : []
  return parts.length === 0 ? (
    isValues(value) ? (
      '-'
    ) : (
      String(value)
    )
  ) : (
    <ul className="audit-parts">
      {parts.map(([part, one]) => (
        <li key={part}>
          <FieldName entity={entity} declared={declared} name={part} />:{' '}
          <Value entity={entity} declared={declared} name={part} value={one} />
        </li>
      ))}
    </ul>
  )
}

/** A name that has no word is one of the program and stands as it is. */
const FieldName = ({ entity, declared, name }: { readonly entity: string; readonly declared: Declared; readonly name: string }) => {
  const t = useT(monitorTexts)
  const label = useLabel()
  if (name === '') return <>{t('audit.value')}</>
  const words = fieldLabel(entity, declared, name)
  return words === null ? <span translate="no">{name}</span> : label(words)
}

/** What a line of the trail changed, part by part; of a change both sides, of what was only written down the one. */
export const AuditChange = ({ entity, before, after }: { readonly entity: string; readonly before: string; readonly after: string }) => {
  const t = useT(monitorTexts)
  if (before === '' && after === '') return null
  const declared = declaredOf(entity)
  const [from, to] = [valuesOf(before), valuesOf(after)]
  const sides = [
    ...(before === '' ? [] : [{ key: 'before', title: t('audit.before'), values: from }]),
    ...(after === '' ? [] : [{ key: 'after', title: t('audit.after'), values: to }]),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div className="plain-table audit-change" role="group" aria-label={t('audit.change')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('audit.field')}</th>
            {sides.map(side => (
              <th key={side.key} scope="col">
                {side.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...new Set([...Object.keys(from), ...Object.keys(to)])].map(name => (
            <tr key={name} data-changed={sides.length === 2 && name in to && JSON.stringify(from[name]) !== JSON.stringify(to[name])}>
              <th scope="row">
                <FieldName entity={entity} declared={declared} name={name} />
              </th>
              {sides.map(side => (
                <td key={side.key}>
                  <Value entity={entity} declared={declared} name={name} value={side.values[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
