/** A line that may stay empty; nothing typed is null on the wire. */
export const OptionalText = ({
  label,
  most,
  value,
  onChange,
}: {
  readonly label: string
  /** Most characters. */
  readonly most: number
  readonly value: string | null | undefined
  readonly onChange: (value: string | null) => void
}) => (
  <label className="chosen-help">
    {label}
    <input
      className="input"
      maxLength={most}
      value={value ?? ''}
      onChange={event => onChange(event.target.value === '' ? null : event.target.value)}
    />
  </label>
)
