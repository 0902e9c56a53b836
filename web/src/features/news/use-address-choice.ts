import { useState } from 'react'

/** What is chosen above a list; it stands in the address, so that another page may choose it. */
export const useAddressChoice = (name: string): readonly [value: string, choose: (value: string) => void] => {
  const [value, setValue] = useState(() => new URLSearchParams(location.search).get(name) ?? '')
  return [
    value,
    next => {
      const search = new URLSearchParams(location.search)
      if (next === '') search.delete(name)
      else search.set(name, next)
      history.replaceState(history.state, '', `${location.pathname}${search.size > 0 ? `?${search}` : ''}`)
      setValue(next)
    },
  ]
}
