import { Form, Select } from 'antd'
import { useRef } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { developTexts } from './texts.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const emptyOf = (text: string): string | null => (text === '' ? null : text)

/** A table of the chosen data source; what the other fields of a new model are follows from it, except for what somebody has typed. */
export const TableInput = ({ value, onChange, ...rest }: InputProps) => {
  const t = useT(developTexts)
  const form = Form.useFormInstance()
  const datasourceId = textOf(Form.useWatch('datasourceId'))
  const { data = [], isFetching, error } = useCall('GET /blade-develop/model/table-list', { datasourceId }, { staleTimeMs: 0, quiet: true })
  /** What followed from the table that was chosen before. */
  const proposed = useRef<Readonly<Record<string, string>>>({})
  const choose = (table: string) => {
    onChange?.(table)
    const words = table.match(/[A-Za-z]+|\d+/g) ?? []
    const comment = data.find(({ name }) => name === table)?.comment ?? ''
    const said = {
      modelName: (comment || table).slice(0, 60),
      modelCode: words.join('-').toLowerCase(),
      modelClass: words.map(word => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join(''),
    }
    for (const [name, text] of Object.entries(said)) {
      const now = form.getFieldValue(name)
      if (!now || now === proposed.current[name]) form.setFields([{ name, value: text, errors: [] }])
    }
    proposed.current = said
  }
  return (
    <>
      <Select
        {...rest}
        showSearch
        optionFilterProp="label"
        loading={isFetching}
        {...(error === null ? {} : { status: 'error' as const })}
        value={emptyOf(textOf(value))}
        placeholder={t('table.choose')}
        options={data.map(({ name, comment }) => ({ value: name, label: comment === '' ? name : `${name}（${comment}）` }))}
        onChange={next => choose(next ?? '')}
      />
      {error === null ? null : (
        <span className="field-error" role="alert">
          {error.message}
        </span>
      )}
    </>
  )
}

/** A column of the model that the field `of` names. */
const ColumnInput = ({ of, value, onChange, ...rest }: InputProps & { readonly of: string }) => {
  const t = useT(developTexts)
  const modelId = textOf(Form.useWatch(of))
  const { data = [] } = useCall('GET /blade-develop/model/model-prototype', { modelId: modelId || '0' }, { enabled: modelId !== '' })
  return (
    <Select
      {...rest}
      allowClear
      showSearch
      optionFilterProp="label"
      value={emptyOf(textOf(value))}
      placeholder={t('column.choose')}
      options={data.map(({ jdbcName, jdbcComment }) => ({
        value: jdbcName,
        label: jdbcComment === '' ? jdbcName : `${jdbcName}（${jdbcComment}）`,
      }))}
      onChange={next => onChange?.(next ?? null)}
    />
  )
}
export const MainColumnInput = (props: InputProps) => <ColumnInput {...props} of="modelId" />
export const ChildColumnInput = (props: InputProps) => <ColumnInput {...props} of="subModelId" />

const useOptions = () => useCall('GET /blade-develop/code/options', {}, { quiet: true })

export const ContextInput = ({ value, onChange, ...rest }: InputProps) => {
  const { data } = useOptions()
  return (
    <Select
      {...rest}
      showSearch
      value={emptyOf(textOf(value))}
      options={(data?.contexts ?? []).map(name => ({ value: name, label: name }))}
      onChange={next => onChange?.(next ?? '')}
    />
  )
}
export const MenuInput = ({ value, onChange, ...rest }: InputProps) => {
  const { data } = useOptions()
  return (
    <Select
      {...rest}
      allowClear
      showSearch
      optionFilterProp="label"
      value={emptyOf(textOf(value))}
      options={(data?.menus ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={next => onChange?.(next ?? null)}
    />
  )
}
export const RolesInput = ({ value, onChange, ...rest }: InputProps) => {
  const { data } = useOptions()
  return (
    <Select
      {...rest}
      mode="multiple"
      value={textOf(value).split(',').filter(Boolean)}
      options={(data?.roles ?? []).map(alias => ({ value: alias, label: alias }))}
      onChange={(next: string[]) => onChange?.(next.join(','))}
    />
  )
}
