import { Form, type FormInstance, Tabs } from 'antd'
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Field } from '#contract/kernel/field.ts'
import type { Fields } from '#contract/kernel/resource.ts'
import { type Label, useLabel } from '../kernel/i18n/index.ts'
import { FieldInput } from './field-input.tsx'
import { earlierOf, formSize, type NamedField } from './fields.ts'
import type { InputProps } from './input-props.ts'
import { useProblemText } from './problem-text.ts'
import './schema-form.css'

export type Values = Record<string, unknown>
/** A control of the caller's for one field, drawn instead of the usual one. */
export type InputSlots = Readonly<Record<string, (props: InputProps & { readonly field: Field }) => ReactNode>>

/** A tab of a form and the fields in it, by name. */
export interface FormSection {
  readonly key: string
  readonly label: Label
  readonly fields: readonly string[]
}

interface Props {
  readonly form: FormInstance<Values>
  readonly fields: readonly NamedField[]
  readonly initial: Values
  readonly mode: 'add' | 'edit'
  readonly slots?: InputSlots | undefined
  readonly sections?: readonly FormSection[] | undefined
  /** Fields that the server has just refused: the tab of the first is opened. */
  readonly refused?: readonly string[]
  readonly onFinish: (values: Values) => void
  readonly onChange?: () => void
}

const columns = { one: 1, two: 2, three: 3, drawer: 2 } as const

const isWide = (field: Field): boolean =>
  field.widget === 'textarea' || field.widget === 'richtext' || field.kind === 'json' || (field.kind === 'text' && (field.max ?? 0) > 200)

/**
 * A form out of declared fields: controls, required marks and texts (S5.01) come from the declaration. Whoever submits puts the
 * server's `data.fields` back with `showFieldErrors`.
 */
export const SchemaForm = ({ form, fields, initial, mode, slots, sections, refused, onFinish, onChange }: Props) => {
  const label = useLabel()
  const [tab, setTab] = useState(sections?.[0]?.key)
  const tabOf = (name: string) => (sections?.find(section => section.fields.includes(name)) ?? sections?.[0])?.key
  const openTabOf = (name: string | undefined) => {
    if (name === undefined || sections === undefined || tabOf(name) === tab) return
    setTab(tabOf(name))
    requestAnimationFrame(() => form.scrollToField(name, { focus: true }))
  }
  const onRefused = useEffectEvent(openTabOf)
  useEffect(() => void onRefused(refused?.find(name => fields.some(each => each.name === name))), [refused, fields])
  const all = Object.fromEntries(fields.map(each => [each.name, each.field]))
  const grid = (shown: readonly NamedField[]) => (
    <div className="form-grid" style={{ '--form-columns': columns[formSize(fields.length, sections !== undefined)] } as CSSProperties}>
      {shown.map(({ name, field }) => (
        <FormField
          key={name}
          name={name}
          field={field}
          all={all}
          slot={slots?.[name]}
          disabled={mode === 'edit' && field.immutable === true}
        />
      ))}
    </div>
  )
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      className="schema-form"
      initialValues={initial}
      onFinish={onFinish}
      onValuesChange={changed => {
        onChange?.()
        // What was wrong is looked at again as soon as it changes: not every control says when it is left.
        const wrong = Object.keys(changed).filter(name => form.getFieldError(name).length > 0)
        if (wrong.length > 0) void form.validateFields(wrong).catch(() => {})
      }}
      onFinishFailed={({ errorFields: [first] }) => openTabOf(first === undefined ? undefined : String(first.name[0]))}
      validateTrigger={['onBlur', 'onSubmit']}
      scrollToFirstError={{ focus: true }}
      requiredMark
    >
      {sections === undefined ? (
        grid(fields)
      ) : (
        <Tabs
          activeKey={tab ?? ''}
          onChange={setTab}
          items={sections.map(section => ({
            key: section.key,
            label: label(section.label),
            // All tabs take part in the check, also those that nobody has opened.
            forceRender: true,
            children: grid(fields.filter(({ name }) => tabOf(name) === section.key)),
          }))}
        />
      )}
    </Form>
  )
}

type FormFieldProps = NamedField & { readonly all: Fields; readonly slot: InputSlots[string] | undefined; readonly disabled: boolean }

const FormField = (props: FormFieldProps) =>
  props.field.shownWith === undefined ? <OwnField {...props} /> : <ShownField {...props} with={props.field.shownWith} />

/** A field that is there while another one has certain values. */
const ShownField = ({ with: other, ...props }: FormFieldProps & { readonly with: NonNullable<Field['shownWith']> }) => {
  const value = Form.useWatch<unknown>(other.field)
  return other.values.some(one => String(one) === String(value ?? '')) ? <OwnField {...props} /> : null
}

const OwnField = (props: FormFieldProps) =>
  props.field.requiredWith === undefined ? <PlainField {...props} /> : <DependentField {...props} with={props.field.requiredWith} />

/** A field that is required while another one has certain values. */
const DependentField = ({ with: other, ...props }: FormFieldProps & { readonly with: NonNullable<Field['requiredWith']> }) => {
  const value = Form.useWatch<unknown>(other.field)
  const required = other.values.some(one => String(one) === String(value ?? ''))
  return <PlainField {...props} field={{ ...props.field, required }} />
}

const PlainField = ({ name, field, all, slot, disabled }: FormFieldProps) => {
  const label = useLabel()
  const problemText = useProblemText()
  return (
    <Form.Item
      name={name}
      dependencies={[field.after, field.requiredWith?.field].filter(one => one !== undefined)}
      label={label(field.label)}
      required={field.required}
      className={isWide(field) ? 'form-wide' : undefined}
      help={undefined}
      extra={field.help === undefined ? undefined : label(field.help)}
      rules={[
        ({ getFieldsValue }) => ({
          validator: async (_rule, value) => {
            const problem = problemText(field, value, earlierOf(all, field, getFieldsValue()))
            if (problem !== null) throw new Error(problem.text)
          },
        }),
      ]}
    >
      {slot === undefined ? <FieldInput field={field} disabled={disabled} /> : <SlotInput slot={slot} field={field} />}
    </Form.Item>
  )
}

const SlotInput = ({ slot, field, ...props }: InputProps & { readonly slot: InputSlots[string]; readonly field: Field }) =>
  slot({ ...props, field })

/** Puts the server's texts under their fields and goes to the first. @returns whether all of them have a field here */
export const showFieldErrors = (
  form: FormInstance<Values>,
  problems: readonly { readonly field: string; readonly msg: string }[],
  known: readonly string[],
): boolean => {
  const own = problems.filter(problem => known.includes(problem.field))
  form.setFields(own.map(problem => ({ name: problem.field, errors: [problem.msg] })))
  const first = own[0]
  if (first !== undefined) form.scrollToField(first.field, { focus: true })
  return own.length === problems.length
}
