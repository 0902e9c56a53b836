import { type ReactNode, useId } from 'react'

interface Props {
  readonly label: string
  readonly error?: string | undefined
  /** The control, which takes the id that its label points at. */
  readonly children: (id: string) => ReactNode
}

/** A control of a small dialog with its label above and its error below. */
export const Labelled = ({ label, error, children }: Props) => {
  const id = useId()
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {error === undefined ? null : (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
