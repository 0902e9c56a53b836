import { useEffect, useId } from 'react'
import { create } from 'zustand'
import { usePage } from '../shell/page-context.tsx'
import type { Option } from './use-dict.ts'
import './choice.css'

const useLast = create<Record<string, string>>(() => ({}))

/**
 * What a whole page depends on, such as an examination: kept in the page's address under `name`, and taken along to the next
 * page that asks for the same name. Null while there is nothing to choose from.
 * @param first - what is chosen where nothing was yet; otherwise the first of the options
 */
export const useChoice = (name: string, options: readonly Option[] | undefined, first?: string | null) => {
  const { search, setSearch, isActive } = usePage()
  const last = useLast(state => state[name])
  const inAddress = search.get(name)
  const isKnown = (value: string | null | undefined) => options?.some(option => option.value === value) ?? false
  const value = inAddress ?? (isKnown(last) ? last : undefined) ?? (isKnown(first) ? first : undefined) ?? options?.[0]?.value ?? null
  useEffect(() => {
    if (value !== null && useLast.getState()[name] !== value && isActive()) useLast.setState({ [name]: value })
    if (isActive() && inAddress === null && value !== null) setSearch({ ...Object.fromEntries(search), [name]: value })
  }, [isActive, inAddress, value, name, search, setSearch])
  const choose = (next: string) => {
    useLast.setState({ [name]: next })
    setSearch({ [name]: next })
  }
  return { value, choose }
}

interface Props {
  readonly label: string
  readonly options: readonly Option[]
  readonly value: string | null
  readonly onChoose: (value: string) => void
}

/** The control of `useChoice`, above what depends on it. */
export const ChoiceBar = ({ label, options, value, onChoose }: Props) => {
  const id = useId()
  const { fixed } = usePage()
  // The frame around the page has chosen.
  if (value !== null && Object.values(fixed).includes(value)) return null
  return (
    <div className="card choice-bar">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value ?? ''} onChange={event => onChoose(event.target.value)}>
        {value !== null && !options.some(option => option.value === value) ? <option value={value}>{value}</option> : null}
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
